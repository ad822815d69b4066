# package.sh OLD NEW PORT: installs, upgrades, removes and purges two versions of the Debian package. Runs as root in
# mount and PID namespaces of its own: it sees this machine's files through an overlay, and changes none.
old=$1 new=$2 port=$3
new_version=$(dpkg-deb --field "$new" Version)

overlay=$(dirname "$old")/overlay
mkdir "$overlay"
mount -t tmpfs tmpfs "$overlay"
mkdir "$overlay/upper" "$overlay/work" "$overlay/root"
root=$overlay/root
mount -t overlay -o "lowerdir=/,upperdir=$overlay/upper,workdir=$overlay/work" overlay "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mkdir -p "$root/run/systemd/system" "$root/packages"
# Container images have a policy that starts no service.
rm -f "$root/usr/sbin/policy-rc.d"
cp "$old" "$root/packages/old.deb"
cp "$new" "$root/packages/new.deb"

# Plays systemd: runs the commands of the unit as its user.
cat >"$root/usr/local/bin/systemctl" <<'END'
#!/bin/sh
set -e
pid_file=/run/pressline.pid
unit=/lib/systemd/system/pressline.service
wanted=/etc/systemd/system/multi-user.target.wants/pressline.service
active() { [ -e $pid_file ] && kill -0 "$(cat $pid_file)" 2>/dev/null; }
start() {
  install -d -o pressline -g pressline -m 700 /var/lib/pressline
  cd /var/lib/pressline
  for command in ExecStartPre ExecStart; do
    line=$(sed -n "s/^$command=//p" $unit)
    if [ $command = ExecStartPre ]; then
      runuser -u pressline -- $line
    else
      setpriv --reuid pressline --regid pressline --init-groups $line </dev/null >>/run/pressline.log 2>&1 &
      echo $! >$pid_file
    fi
  done
  for _ in $(seq 100); do
    ! pressline healthcheck >/dev/null 2>&1 || return 0
    sleep 0.1
  done
  cat /run/pressline.log >&2
  return 1
}
stop() {
  if active; then
    kill "$(cat $pid_file)"
    while active; do sleep 0.05; done
  fi
}
for argument; do
  case $argument in
    -*) ;;
    *) words="$words $argument" ;;
  esac
done
set -- $words
case "$1 $2" in
  "daemon-reload "*) ;;
  "preset pressline.service") ln -sf $unit $wanted ;;
  "is-enabled pressline.service") [ ! -e $wanted ] || echo enabled ;;
  "is-active pressline.service") active ;;
  "is-active pressline.socket") exit 3 ;;
  "show pressline.service") if active; then echo active; else echo inactive; fi ;;
  "start pressline.service") active || start ;;
  "restart pressline.service") stop; start ;;
  "stop pressline.service") stop ;;
  *) echo "systemctl: unknown: $*" >&2; exit 1 ;;
esac
END
chmod 755 "$root/usr/local/bin/systemctl"

in_root() { chroot "$root" "$@"; }
pressline() { in_root runuser -u pressline -- pressline --config /etc/pressline/pressline.toml "$@"; }
# A trigger would build the index of manual pages, which takes seconds.
package() { in_root dpkg --no-triggers --force-confdef --force-confold "$@"; }
install_package() { package --install "/packages/$1.deb"; }
stage() { echo "== $1"; }
runs() { in_root systemctl is-active pressline.service; }
stopped() { if runs; then return 1; fi; }
has_shop() { pressline store list | grep -F "My shop"; }
# Addresses that no other process uses.
export PRESSLINE__HTTP__LISTEN=127.0.0.1:$port PRESSLINE__OPERATOR__LISTEN=127.0.0.1:0
settings=$root/etc/pressline/pressline.toml

stage "install the old version"
install_package old
runs
pressline store create --name "My shop"
printf '[log]\nformat = "text"\n' >>"$settings"
edited=$(cat "$settings")
process=$(cat "$root/run/pressline.pid")

stage "upgrade"
install_package new
test "$(in_root dpkg-query --show --showformat='${Version}' pressline)" = "$new_version"
runs
test "$(cat "$root/run/pressline.pid")" != "$process"
test "$(cat "$settings")" = "$edited"
test -e "$settings.dpkg-dist"
has_shop

stage "upgrade a stopped service"
in_root systemctl stop pressline.service
install_package new
stopped
has_shop

process() { cat "$root/run/pressline.pid"; }
no_marks() { test ! -e "$root/run/pressline.stopped" && test ! -e "$root/run/pressline.running"; }
fails() { if "$@"; then return 1; fi; }
# Makes the installed `prerm` fail after its work, or before it.
spoil() {
  prerm=$root/var/lib/dpkg/info/pressline.prerm
  case $1 in
    end) echo 'exit 1' >>"$prerm" ;;
    all) printf '#!/bin/sh\nexit 1\n' >"$prerm" ;;
  esac
}
mkdir "$root/packages/broken" "$root/packages/breaker" "$root/packages/breaker/DEBIAN"
in_root dpkg-deb --raw-extract /packages/new.deb /packages/broken
printf '#!/bin/sh\nexit 1\n' >"$root/packages/broken/DEBIAN/preinst"
chmod 755 "$root/packages/broken/DEBIAN/preinst"
cat >"$root/packages/breaker/DEBIAN/control" <<'END'
Package: breaker
Version: 1
Architecture: all
Maintainer: Nobody <nobody@pressline.invalid>
Breaks: pressline
Description: package that pressline cannot be configured with
END
for name in broken breaker; do
  in_root dpkg-deb -Zgzip -z1 --root-owner-group --build "/packages/$name" "/packages/$name.deb"
done

stage "an upgrade that failed does not keep the next one from a restart"
fails install_package broken
stopped
no_marks
in_root systemctl start pressline.service
process=$(process)
fails install_package broken
test "$(process)" = "$process"
install_package new
test "$(process)" != "$process"
no_marks

stage "a service that is started between unpacking and configuring is restarted"
in_root systemctl stop pressline.service
package --unpack /packages/new.deb
test -e "$root/run/pressline.stopped"
in_root systemctl start pressline.service
process=$(process)
package --configure pressline
test "$(process)" != "$process"
no_marks

stage "an upgrade after a failed prerm keeps the state"
process=$(process)
spoil all
install_package new
test "$(process)" != "$process"
in_root systemctl stop pressline.service
spoil all
install_package new
stopped
no_marks

stage "a removal that failed keeps the state"
spoil end
fails package --remove pressline
stopped
no_marks
in_root systemctl start pressline.service
fails package --remove pressline
runs
no_marks
install_package new

stage "deconfigured for another package"
in_root systemctl stop pressline.service
# Breaks what is configured, so that it ends with an error.
fails package --auto-deconfigure --install /packages/breaker.deb
package --remove breaker
package --configure pressline
stopped
no_marks

stage "remove"
in_root systemctl start pressline.service
package --remove pressline
stopped
test ! -e "$root/usr/bin/pressline"
test "$(cat "$settings")" = "$edited"
test -s "$root/var/lib/pressline/pressline.db"

stage "install again"
install_package new
runs
has_shop

stage "purge"
package --purge pressline
stopped
test ! -e "$root/etc/pressline"
test ! -e "$root/etc/systemd/system/multi-user.target.wants/pressline.service"
test -s "$root/var/lib/pressline/pressline.db"
test -s "$root/var/lib/pressline/pressline.db.master-key"
stage "done"
