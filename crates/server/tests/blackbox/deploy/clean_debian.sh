# clean_debian.sh ROOT DEB PORT ORDER: installs the Debian package DEB by apt-get in ROOT, a minimal Debian that mmdebstrap
# made. Follows the guide first-order.md with SQLite and without systemd: ORDER is a file with its call. Then removes and
# purges the package. Runs as root.
set -eu
root=$1 deb=$2 port=$3 order=$4
pid_file=$root/run/pressline.pid
trap '[ ! -e "$pid_file" ] || kill "$(cat "$pid_file")"' EXIT

stage() { echo "== $1"; }
in_root() {
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    PRESSLINE__HTTP__LISTEN="127.0.0.1:$port" PRESSLINE__OPERATOR__LISTEN=127.0.0.1:0 "$@"
}
pressline() { in_root runuser -u pressline -- pressline --config /etc/pressline/pressline.toml "$@"; }

stage "install the package alone"
cp "$deb" "$root/pressline.deb"
in_root apt-get install --quiet --yes --no-install-recommends /pressline.deb
in_root pressline --version
in_root pressline config check

stage "create a store"
# systemd would create the folder and start the service.
in_root install -d -o pressline -g pressline -m 700 /var/lib/pressline
pressline migrate
in_root sh -c 'echo $$ >/run/pressline.pid; exec "$@"' sh setpriv --reuid pressline --regid pressline --init-groups \
  pressline --config /etc/pressline/pressline.toml serve >"$root/var/log/pressline.log" 2>&1 &
server=$!
for _ in $(seq 100); do
  ! pressline healthcheck 2>/dev/null || break
  sleep 0.1
done
pressline healthcheck
cat >"$root/tmp/catalog.csv" <<'CATALOG'
sku,name,price
MUG-11OZ-WHITE,"White mug, 11 oz",5.20
CATALOG
pressline catalog import /tmp/catalog.csv
created=$(pressline store create --name "My shop")
store=$(echo "$created" | sed -n 's/^Store  *\([^ ]*\) .*/\1/p')
key=$(echo "$created" | sed -n 's/^Secret key  *//p')

stage "order"
PRESSLINE="http://127.0.0.1:$port" STORE="$store" KEY="$key" sh -eu "$order"
echo
pressline order list --store MYSHOP

stage "stop"
kill "$(cat "$pid_file")"
wait "$server"
rm "$pid_file"

stage "remove"
in_root apt-get remove --quiet --yes pressline
test ! -e "$root/usr/bin/pressline"
test -s "$root/etc/pressline/pressline.toml"

stage "purge"
in_root apt-get purge --quiet --yes pressline
test ! -e "$root/etc/pressline"
test -s "$root/var/lib/pressline/pressline.db"
test -s "$root/var/lib/pressline/pressline.db.master-key"
stage "done"
