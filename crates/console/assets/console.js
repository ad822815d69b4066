// What makes the pages more convenient where scripts run. Everything works without it.
(() => {
  "use strict";
  const root = document.documentElement;
  const narrow = window.matchMedia("(max-width: 44rem)");

  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const isTyping = (element) => element instanceof Element
    && element.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");

  // On phones the navigation is under `Menu`.
  const fitMenu = () => all("details.menu").forEach((menu) => { menu.open = !narrow.matches; });
  narrow.addEventListener("change", fitMenu);

  // Adds `Select all on this page` above the checkboxes of a list.
  const addSelectAll = () => all("[data-select-all]").forEach((place) => {
    const boxes = () => all(`input[type=checkbox][name="${place.dataset.selectAll}"]`);
    if (place.firstElementChild || boxes().length === 0) return;
    const label = document.createElement("label");
    const box = document.createElement("input");
    const text = document.createElement("span");
    label.className = "check";
    box.type = "checkbox";
    text.className = place.tagName === "TH" ? "hidden" : "";
    text.textContent = "Select all on this page";
    label.append(box, text);
    box.addEventListener("change", () => boxes().forEach((other) => { other.checked = box.checked; }));
    place.append(label);
  });

  const showButtons = () => all("[data-print]").forEach((button) => {
    button.hidden = false;
    button.onclick = () => window.print();
  });

  // Keys: `j` and `k` move between the rows, `x` selects, `Enter` opens the link with the focus.
  const links = () => all("a[data-row]");
  const rowOf = (element) => element && element.closest("tr, li");
  const current = () => links().findIndex((link) => rowOf(link) === rowOf(document.activeElement));
  const move = (by) => {
    const list = links();
    const next = Math.min(Math.max(current() + by, 0), list.length - 1);
    if (list[next]) {
      list[next].focus();
      list[next].scrollIntoView({ block: "nearest" });
    }
  };
  const select = () => {
    const row = rowOf(document.activeElement);
    const box = row && row.querySelector("input[type=checkbox]");
    if (box) box.checked = !box.checked;
  };
  const help = () => {
    let dialog = document.getElementById("keys");
    if (!dialog) {
      dialog = document.createElement("dialog");
      dialog.id = "keys";
      const title = document.createElement("h2");
      title.id = "keys-title";
      title.textContent = "Keys";
      dialog.setAttribute("aria-labelledby", title.id);
      const list = document.createElement("dl");
      list.className = "facts";
      const keys = { "j, k": "Next row, previous row", x: "Select the row", Enter: "Open", "/": "Find order", "?": "This help", Esc: "Close" };
      for (const [key, does] of Object.entries(keys)) {
        const term = document.createElement("dt");
        const text = document.createElement("dd");
        term.textContent = key;
        text.textContent = does;
        list.append(term, text);
      }
      const close = document.createElement("button");
      close.type = "button";
      close.textContent = "Close";
      close.onclick = () => dialog.close();
      dialog.append(title, list, close);
      document.body.append(dialog);
    }
    if (!dialog.open) dialog.showModal();
  };
  const commands = {
    j: () => move(1),
    k: () => move(-1),
    x: select,
    "/": () => { const find = document.getElementById("find"); if (find) find.focus(); },
    "?": help,
  };
  document.addEventListener("keydown", (event) => {
    const command = commands[event.key];
    const isOff = root.dataset.keys === "off" || event.ctrlKey || event.metaKey || event.altKey;
    if (!command || isOff || isTyping(event.target) || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    command();
  });

  // A tone for each result of a scan: high for done, two short ones for nothing new, low and long for a stop.
  const TONES = { done: [[0, 880, 0.15]], unchanged: [[0, 550, 0.08], [0.14, 550, 0.08]], stop: [[0, 220, 0.3], [0.4, 220, 0.3]] };
  let audio;
  const tone = (name) => {
    if (!TONES[name] || root.dataset.sounds === "off" || !window.AudioContext) return;
    audio = audio || new AudioContext();
    TONES[name].forEach(([start, frequency, seconds]) => {
      const oscillator = audio.createOscillator();
      const gain = audio.createGain();
      oscillator.frequency.value = frequency;
      gain.gain.value = 0.2;
      oscillator.connect(gain).connect(audio.destination);
      oscillator.start(audio.currentTime + start);
      oscillator.stop(audio.currentTime + start + seconds);
    });
  };
  const result = (within) => within.querySelector(".result[data-tone]");
  const toneOf = (within) => { const shown = result(within); if (shown) tone(shown.dataset.tone); };

  // Scans are sent one after the other, while the next ones are typed. What the server has not answered stays in the
  // queue; a repeated scan changes nothing.
  const SILENCE = 10000;
  const queue = [];
  let isSending = false;
  let isStopped = false;
  const byId = (id, within = document) => within.getElementById(id);

  const post = async (scan) => {
    const form = byId("scan");
    const body = new URLSearchParams(new FormData(form));
    scan.request = scan.request || body.get("request");
    for (const name of ["scan", "units", "request"]) body.set(name, scan[name]);
    const answer = await fetch(form.action, { method: "POST", body, signal: AbortSignal.timeout(SILENCE) });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!byId("shown", page)) throw new Error(`the server answers ${answer.status}`);
    return { page, url: answer.url };
  };
  // Replaces everything but the field, into which the next code is being typed.
  const showResult = ({ page, url }, isFirst) => {
    const [old, shown, form] = [byId("shown"), byId("shown", page), byId("scan")];
    const before = result(old);
    if (before && !isFirst) {
      const line = document.createElement("li");
      line.className = before.className.replace("result ", "");
      line.textContent = before.textContent;
      byId("earlier").prepend(line);
    }
    form.setAttribute("action", byId("scan", page).getAttribute("action"));
    form.elements.request.value = byId("scan", page).elements.request.value;
    old.replaceWith(shown);
    window.htmx.process(shown);
    document.title = page.title;
    history.replaceState(history.state, "", url);
    toneOf(shown);
  };
  const showUnsent = (why) => {
    const box = byId("unsent");
    const text = document.createElement("span");
    const again = document.createElement("button");
    text.textContent = `Stop: ${why}. Not sent: ${queue.map((scan) => scan.scan).join(", ")}`;
    again.type = "button";
    again.textContent = "Send again";
    again.onclick = () => { isStopped = false; box.hidden = true; byId("scan-code").focus(); send(); };
    box.replaceChildren(text, again);
    box.dataset.why = why;
    box.hidden = false;
    tone("stop");
  };
  const send = async () => {
    if (isSending || isStopped) return;
    isSending = true;
    for (let isFirst = true; queue.length > 0; isFirst = false) {
      try {
        const answer = await post(queue[0]);
        queue.shift();
        showResult(answer, isFirst);
      } catch (error) {
        isStopped = true;
        showUnsent(error.message.startsWith("the server") ? error.message : "the server does not answer");
        break;
      }
    }
    isSending = false;
  };
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.id !== "scan") return;
    event.preventDefault();
    const [code, units] = [form.elements.scan, form.elements.units];
    if (!isSending) byId("earlier").replaceChildren();
    queue.push({ scan: code.value.trim(), units: units.value });
    code.value = "";
    units.value = "";
    code.focus();
    if (isStopped) showUnsent(byId("unsent").dataset.why);
    send();
  }, true);
  window.addEventListener("beforeunload", (event) => { if (queue.length > 0) event.preventDefault(); });

  // A form is sent once, however often its button is pressed.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post" || event.defaultPrevented) return;
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "true";
    window.setTimeout(() => { delete form.dataset.sent; }, 3000);
  });

  const prepare = () => { addSelectAll(); showButtons(); };

  // Swaps of parts: the focus stays where it was, and a reply without the part, such as the page for
  // signing in, becomes the page.
  let focused = "";
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target, xhr } = event.detail;
    const page = new DOMParser().parseFromString(xhr.responseText, "text/html");
    if (target.id && !page.getElementById(target.id)) {
      event.detail.shouldSwap = false;
      window.location.assign(xhr.responseURL || window.location.href);
      return;
    }
    const active = document.activeElement;
    focused = (active && target.contains(active) && active.id) || "";
    document.title = page.title || document.title;
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    prepare();
    toneOf(event.target);
    const again = focused && document.getElementById(focused);
    if (again) again.focus();
  });

  fitMenu();
  prepare();
  toneOf(document);
  const errors = document.getElementById("errors");
  if (errors) errors.focus();
})();
