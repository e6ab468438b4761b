// What is wrong with how a page lies in its window, in words; loaded into the page by test_layout.py.
window.faults = (largest) => {
  const found = [];
  const wide = document.documentElement.clientWidth;
  const shown = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !one.closest(".unseen, .skip, [aria-hidden=true] svg");
  const called = (one) => {
    const words = (one.textContent || one.getAttribute("aria-label") || one.name || "").trim().replace(/\s+/g, " ").slice(0, 30);
    return `<${one.tagName.toLowerCase()}${one.classList.length ? "." + [...one.classList].join(".") : ""}> “${words}”`;
  };
  const box = (one) => one.getBoundingClientRect();
  const moves = (one) => {
    for (let at = one.parentElement; at; at = at.parentElement) if (/auto|scroll|hidden|clip/.test(getComputedStyle(at).overflowX)) return true;
    return false;
  };
  const all = [...document.querySelectorAll("body *")].filter(shown);

  // Nothing is wider than its window, unless it moves in a box of its own.
  if (document.documentElement.scrollWidth > wide) found.push(`wide: the page is ${document.documentElement.scrollWidth} px`);
  for (const one of all) {
    if (one.ownerSVGElement) continue; // drawings end with their frame
    const out = (at) => box(at).width && (box(at).right > wide + 1 || box(at).left < -1);
    if (out(one) && !out(one.parentElement) && !moves(one)) found.push(`wide: ${called(one)} reaches from ${Math.round(box(one).left)} to ${Math.round(box(one).right)}`);
    const style = getComputedStyle(one);
    if (/hidden|clip/.test(style.overflowX) && one.scrollWidth > one.clientWidth + 1 && one.textContent.trim() && style.textOverflow !== "ellipsis") found.push(`cut off: ${called(one)}`);
  }

  // What goes across goes all the way: fixed bars from edge to edge, rows of controls to the end of what they lie in, unless they are centred.
  for (const one of all) {
    const style = getComputedStyle(one);
    if (style.position === "fixed" && one.matches(".bar") && box(one).width < wide - 1) found.push(`short: ${called(one)} covers ${Math.round(box(one).width)} of ${wide} px`);
    if (!one.matches("p") || !/flex|grid/.test(style.display) || style.position === "fixed") continue;
    const around = one.parentElement;
    const room = around.clientWidth - parseFloat(getComputedStyle(around).paddingLeft) - parseFloat(getComputedStyle(around).paddingRight);
    const isCentred = Math.abs(box(one).left - box(around).left - (box(around).right - box(one).right)) < 2;
    if (getComputedStyle(around).display === "block" && !isCentred && box(one).width < room - 1) found.push(`short: ${called(one)} has ${Math.round(box(one).width)} of ${Math.round(room)} px`);
  }

  // Words of a usual length stay whole.
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || /^(SCRIPT|STYLE|NOSCRIPT|OPTION|TEXTAREA|TITLE|DESC)$/.test(parent.tagName) || !shown(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter((rect) => rect.width > 0.5);
    if (!rects.length) continue;
    texts.push({ parent, rects, box: range.getBoundingClientRect() });
    if (rects.length < 2 || parent.closest(".address, .code, svg")) continue;
    for (const word of node.data.matchAll(/[\p{L}\p{N}]+/gu)) {
      if (word[0].length > largest) continue;
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].filter((rect) => rect.width > 0.5).map((rect) => Math.round(rect.top / 8)));
      if (lines.size > 1) found.push(`broken: “${word[0]}” in ${called(parent)}`);
    }
  }

  // Nothing to be tapped is smaller than a fingertip, but for links inside a sentence.
  const targets = [];
  for (const one of all.filter((one) => one.matches("a[href], button, input:not([type=hidden]), select, textarea, summary"))) {
    const label = one.matches("input[type=radio], input[type=checkbox]") ? one.closest("label") : null;
    const target = label ?? one;
    if (one.disabled || (one.matches("select, input") && one.tabIndex < 0) || targets.some(([other]) => other === target)) continue;
    const size = box(target);
    if (!size.width || !size.height) continue;
    const line = target.closest("p, li, dd, dt, td, th, h1, h2, h3, small, label");
    const inside = one.matches("a") && getComputedStyle(one).display.startsWith("inline") && !one.matches(".primary, .quiet, .chip") && line;
    const alone = inside && line.textContent.trim() === one.textContent.trim();
    const least = (inside && !alone) || one.closest(".carried") ? 24 : 44; // what a piece carries has its square to itself
    if (size.height < least - 0.5 || (!inside && size.width < least - 0.5)) found.push(`small: ${called(one)} is ${Math.round(size.width)} × ${Math.round(size.height)}${alone ? " and stands alone" : ""}`);
    targets.push([target, size]);
  }

  // Nothing lies over something else: neither what can be tapped, nor text over text.
  const floats = (one) => {
    for (let at = one; at; at = at.parentElement) if (/fixed|sticky/.test(getComputedStyle(at).position)) return true;
    return false;
  };
  const over = (one, other) => Math.min(Math.min(one.right, other.right) - Math.max(one.left, other.left), Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));
  const still = targets.filter(([one]) => !floats(one) && !one.closest(".board, .over, svg"));
  still.forEach(([one, size], index) => {
    for (const [other, its] of still.slice(index + 1)) {
      if (over(size, its) > 1 && !one.contains(other) && !other.contains(one) && !moves(one)) found.push(`over each other: ${called(one)} and ${called(other)}`);
    }
  });
  const words = texts.filter((one) => !floats(one.parent) && !one.parent.closest(".board, .face, .over, .glance, [role=grid]") && !moves(one.parent));
  words.sort((one, other) => one.box.top - other.box.top);
  words.forEach((one, index) => {
    for (const other of words.slice(index + 1)) {
      if (other.box.top >= one.box.bottom) break;
      if (one.rects.some((rect) => other.rects.some((its) => over(rect, its) > 3))) found.push(`text on text: ${called(one.parent)} and ${called(other.parent)}`);
    }
  });
  return [...new Set(found)];
};
