// What is wrong with how a page looks, as a list of texts: text that is covered or cut off, that stands
// out too little from its ground or is too small, and controls without a name. An expression, for cases.py.
(() => {
    const problems = [];
    const isShown = (element) => element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
    const about = (element) => `"${element.textContent.trim().slice(0, 30)}" (${element.tagName.toLowerCase()})`;

    // Lines of text that stand in the page itself, with their elements.
    function lines() {
        const found = [], walker = document.createTreeWalker(document.getElementById("main"), NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const node = walker.currentNode, element = node.parentElement;
            if (!node.textContent.trim() || !isShown(element) || element.closest("svg title, option, select")) continue;
            const range = document.createRange();
            range.selectNodeContents(node);
            for (const box of range.getClientRects()) if (box.width > 1 && box.height > 1) found.push({ element, box });
        }
        return found;
    }
    // The part of a box that the elements around it let be seen, and whether these can be scrolled.
    function visible(element, box) {
        let { left, top, right, bottom } = box;
        for (let around = element; around; around = around.parentElement) {
            if (getComputedStyle(around).overflowX === "visible") continue;
            const frame = around.getBoundingClientRect();
            left = Math.max(left, frame.left), right = Math.min(right, frame.right);
            top = Math.max(top, frame.top), bottom = Math.min(bottom, frame.bottom);
        }
        return right - left > 1 && bottom - top > 1 ? { left, top, right, bottom } : null;
    }
    const all = lines().map((line) => ({ ...line, seen: visible(line.element, line.box) })).filter((line) => line.seen);
    const inPage = all.filter((line) => !line.element.closest(".drawing svg"));

    // Overlaps: of two lines by more than the space that fonts leave above and below letters.
    inPage.sort((one, other) => one.seen.top - other.seen.top);
    for (let i = 0; i < inPage.length; i++)
        for (let k = i + 1; k < inPage.length && inPage[k].seen.top < inPage[i].seen.bottom; k++) {
            const one = inPage[i].seen, other = inPage[k].seen;
            const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
            const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
            if (wide > 1 && high > 4) problems.push(`${about(inPage[i].element)} and ${about(inPage[k].element)} overlap`);
        }
    for (const { element, box } of inPage)
        if (!element.closest(".scroll, pre, .details") && (box.left < -1 || box.right > innerWidth + 1)) problems.push(`${about(element)} is cut off`);

    // Contrast, by the formula of WCAG 2; what is in drawings is turned round in the dark as a whole.
    const channel = (value) => value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
    const light = ([red, green, blue]) => 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);
    const colour = (text) => text.match(/[\d.]+/g)?.map(Number) || [0, 0, 0, 0];
    function ground(element) {
        for (let around = element; around; around = around.parentElement) {
            const own = colour(getComputedStyle(around).backgroundColor);
            if (own.length === 3 || own[3] > 0) return own;
        }
        return [255, 255, 255];
    }
    for (const { element } of all) {
        const isSvg = element.closest("svg") !== null, style = getComputedStyle(element);
        const one = light(colour(isSvg ? style.fill : style.color)), other = light(isSvg ? [255, 255, 255] : ground(element));
        const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        if (ratio < 4.5) problems.push(`${about(element)} has a contrast of ${ratio.toFixed(1)} only`);
    }

    // Labels of drawings that are not too large to be read as a whole.
    for (const svg of document.querySelectorAll(".drawing svg")) {
        if (!isShown(svg)) continue;
        const scale = svg.getScreenCTM().a;
        if (scale < 0.5 && svg.viewBox.baseVal.width * scale > svg.getBoundingClientRect().width * 0.8 && svg.viewBox.baseVal.width < 1500) problems.push(`a drawing is shown at ${scale.toFixed(2)} of its size`);
    }

    for (const control of document.querySelectorAll("button, input, select, summary, [role=button], [role=group]")) {
        if (!isShown(control)) continue;
        if (control.tabIndex < 0) problems.push(`${about(control)} is not for keys`);
        if (!(control.getAttribute("aria-label") || control.textContent).trim()) problems.push(`a ${control.tagName.toLowerCase()} has no name`);
    }
    return [...new Set(problems)];
})()
