// The page: choice of laps, legends, cursor and zoom.
const byId = id => document.getElementById(id);

// figures has each plot of the page with the function that draws it and returns the number of drawn samples.
const figures = data.Plots.map(plot => ({figure: byId(plot.ID), plot, draw: figure => drawLines(plot, figure)}));
for (const [id, draw] of Object.entries({map: drawMap, gg: drawGG, histogram: drawHistogram})) {
	if (byId(id)) figures.push({figure: byId(id), draw});
}
window.rigReport = {plots: []}; // what is drawn: the id of each plot and its number of samples

function newElement(name, className, parent, text = "") {
	const e = document.createElement(name);
	e.className = className;
	e.textContent = text;
	parent.append(e);
	return e;
}

for (const f of figures) {
	const area = f.figure.querySelector(".area"), canvas = f.figure.querySelector("canvas");
	canvas.setAttribute("role", "img");
	canvas.setAttribute("aria-label", f.figure.querySelector("b").textContent);
	if (f.plot) {
		f.cursor = newElement("div", "over rule", area);
		f.zoom = newElement("div", "over zoom", area);
		listen(f, area);
	} else if (f.figure.id !== "histogram") {
		f.dots = [newElement("div", "over dot", area), newElement("div", "over dot b", area)];
	}
}

// newLegend names the lines of a plot, with an element for the value of each channel and view at the cursor.
function newLegend(f) {
	const legend = f.figure.querySelector(".legend"), single = f.plot.Lines.length === 1;
	const views = f.plot.ID === "difference" ? [state.views[1]] : state.views;
	legend.textContent = "";
	if (f.plot.Note) newElement("span", "", legend, f.plot.Note);
	f.outputs = [];
	const entry = (text, colorNumber, broad) => {
		const e = newElement("span", "", legend);
		if (text) newElement("i", broad ? "broad" : "", e).style.background = `var(--c${colorNumber})`;
		if (text) e.append(text + " ");
		return e;
	};
	const entries = {};
	for (const line of f.plot.Lines) {
		for (const [n, view] of views.entries()) {
			const label = single && views.length > 1 ? "AB"[n] : line.Label;
			entries[label] ??= entry(label, single ? n : line.Color, line.Broad && f.plot.Lines.filter(l => l.Label === label).length === 1);
			f.outputs.push({view, channel: line.Channel, element: newElement("output", "", entries[label])});
		}
	}
}

function draw() {
	window.rigReport.plots = [];
	for (const f of figures) {
		if (f.figure.hidden) continue;
		const points = f.figure.dataset.points = f.draw(f.figure);
		window.rigReport.plots.push({id: f.figure.id, points});
	}
	setCursor(state.cursor);
}

// setCursor moves the cursor of all plots to x, and shows the values there.
function setCursor(x) {
	state.cursor = x;
	const at = state.views.map(view => nearest(view, xOf(view), x)), inside = x >= state.range[0] && x <= state.range[1];
	for (const f of figures) {
		if (f.figure.hidden) continue;
		if (f.cursor) place(f.cursor, inside ? f.figure.axes[0](x) : NaN, 0);
		for (const o of f.outputs ?? []) {
			const i = at[state.views.indexOf(o.view)], c = o.view.channels[o.channel];
			o.element.textContent = i >= 0 && c ? fixed(c.Values[i], c.Digits) + " " : "";
		}
		f.dots?.forEach((dot, n) => {
			const values = (f.figure.id === "map" ? data.Map : data.GG).map(name => state.views[n]?.channels[name]?.Values[at[n]] ?? NaN);
			place(dot, ...values.map((v, k) => f.figure.axes[k](v)));
		});
	}
	const {time, distance} = state.views[0], i = at[0];
	byId("reading").textContent = i < 0 ? "" : clock(time[i], 2) + " min" + (distance ? ", " + fixed(distance[i], 0) + " m" : "");
}

// place moves a mark to a pixel, or hides it if that is NaN.
function place(mark, x, y) {
	const known = isFinite(x) && isFinite(y);
	mark.style.visibility = known ? "visible" : "hidden";
	if (known) mark.style.transform = `translate(${x}px, ${y}px)`;
}

function setRange(range) {
	state.range = range;
	draw();
}

// listen makes a plot follow the pointer: a move sets the cursor, a drag zooms, a double click shows all.
function listen(f, area) {
	let from = NaN;
	const pixel = e => Math.min(Math.max(e.clientX - area.getBoundingClientRect().left, margin.left), area.clientWidth - margin.right);
	const value = p => f.figure.axes[0].inverse(p);
	const release = () => { from = NaN; f.zoom.style.visibility = "hidden"; };
	area.addEventListener("pointerdown", e => {
		if (e.button === 0) from = pixel(e);
		setCursor(value(pixel(e)));
	});
	area.addEventListener("pointermove", e => {
		setCursor(value(pixel(e)));
		if (isNaN(from)) return;
		place(f.zoom, Math.min(from, pixel(e)), 0);
		f.zoom.style.width = Math.abs(pixel(e) - from) + "px";
	});
	window.addEventListener("pointerup", e => {
		const ends = [from, pixel(e)].sort((a, b) => a - b);
		release();
		if (ends[1] - ends[0] > 6) setRange(ends.map(value));
	});
	area.addEventListener("pointercancel", release);
	area.addEventListener("dblclick", () => setRange(state.full));
}

// choose shows the laps that are selected.
function choose() {
	state.views = ["a", "b"].map(id => byId(id).value).filter(v => v).map(value => {
		const [drive, lap] = value.split(" ").map(Number);
		return newView(data.Drives[drive], data.Drives[drive].Laps[lap]);
	});
	const [a, b] = state.views, possible = state.views.every(view => view.distance);
	byId("over").disabled = !possible;
	state.distance = possible && byId("over").value === "distance";
	if (b && state.distance) b.channels.difference = timeDifference(a, b);
	const ends = state.views.filter(view => view.to > view.from).flatMap(view => [view.lap ? 0 : view.time[0], xOf(view)[view.to - 1]]);
	state.full = Math.min(...ends) < Math.max(...ends) ? [Math.min(...ends), Math.max(...ends)] : [0, 1];
	state.cursor = NaN;
	for (const f of figures.filter(f => f.plot)) {
		if (f.plot.ID === "difference") f.figure.hidden = !b?.channels.difference;
		if (!f.figure.hidden) newLegend(f);
	}
	setRange(state.full);
}

// fillSelects lists the drives and their laps, and selects the whole drive, or the best lap of each of two.
function fillSelects() {
	const option = (parent, value, text) => { newElement("option", "", parent, text).value = value; };
	option(byId("b"), "", "none");
	const best = data.Drives.map((drive, d) => {
		const counted = drive.Laps.filter(l => l.Valid), laps = counted.length ? counted : drive.Laps;
		const fastest = laps.reduce((a, b) => b.Time < a?.Time ? b : a, laps[0]);
		for (const id of ["a", "b"]) {
			const group = newElement("optgroup", "", byId(id));
			group.label = drive.Title;
			option(group, `${d} -1`, "whole drive");
			drive.Laps.forEach((l, n) => option(group, `${d} ${n}`, `lap ${l.Number}, ${clock(l.Time, 3)}` + (!l.Valid ? ", invalid" : l === fastest ? ", best" : "")));
		}
		return `${d} ${drive.Laps.indexOf(fastest)}`;
	});
	byId("a").value = best.length > 1 ? best[0] : "0 -1";
	byId("b").value = best[1] ?? "";
	for (const plot of data.Plots.filter(plot => byId("color") && plot.ID !== "difference")) {
		for (const line of plot.Lines) option(byId("color"), line.Channel, [plot.Title.split(",")[0], line.Label, line.Broad ? "demand" : ""].filter(t => t).join(", "));
	}
}

fillSelects();
choose();
byId("bar").hidden = false;
for (const id of ["a", "b", "over"]) byId(id).addEventListener("change", choose);
byId("color")?.addEventListener("change", draw);
byId("reset").addEventListener("click", () => setRange(state.full));
document.addEventListener("keydown", e => {
	const step = {ArrowLeft: -1, ArrowRight: 1}[e.key], [from, to] = state.range;
	if (!step || e.target.closest("select")) return;
	e.preventDefault();
	setCursor(Math.min(Math.max((isNaN(state.cursor) ? from : state.cursor) + step * (to - from) / 400, from), to));
});
document.addEventListener("click", e => {
	const row = e.target.closest("[data-time]"), [a] = state.views;
	if (!row) return;
	if (a.drive !== data.Drives[row.dataset.drive] || a.lap) {
		[byId("a").value, byId("b").value] = [row.dataset.drive + " -1", ""];
		choose();
	}
	setCursor(Number(row.dataset.time));
	byId("bar").scrollIntoView();
});
const redraw = () => requestAnimationFrame(draw);
window.addEventListener("resize", redraw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
for (const [name, paper] of [["beforeprint", true], ["afterprint", false]]) {
	window.addEventListener(name, () => { root.classList.toggle("paper", paper); draw(); });
}
