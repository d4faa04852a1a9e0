// The drawing of plots. state has the views A and B, and the range of x that is shown.
const root = document.documentElement;
const margin = {left: 46, right: 14, top: 7, bottom: 19}; // of a plot's axes [px]
const state = {views: [], distance: false, full: [0, 1], range: [0, 1], cursor: NaN};
const xOf = view => state.distance ? view.distance : view.time;
const color = name => getComputedStyle(root).getPropertyValue("--" + name).trim();

// visible returns the samples of a view within the range, and one more on each side.
function visible(view) {
	const xs = xOf(view);
	return [Math.max(view.from, search(view, xs, state.range[0]) - 1), Math.min(view.to, search(view, xs, state.range[1]) + 1)];
}

// begin clears the canvas of a figure, and returns its context, its height and the box within the axes [CSS pixels].
function begin(figure, bottom = margin.bottom) {
	const canvas = figure.querySelector("canvas"), w = canvas.clientWidth, h = canvas.clientHeight;
	const scale = root.classList.contains("paper") ? 3 : window.devicePixelRatio || 1;
	canvas.width = w * scale;
	canvas.height = h * scale;
	const ctx = canvas.getContext("2d");
	ctx.scale(scale, scale);
	ctx.font = "11px system-ui, 'Liberation Sans', Arial, sans-serif";
	ctx.lineJoin = "round";
	return {ctx, h, box: {l: margin.left, r: w - margin.right, t: margin.top, b: h - bottom}};
}

// axis returns a function from values to pixels, with the values to label: multiples of 1, 2 or 5 times a power of ten, or
// for a time beyond a few minutes of a number of seconds that divides minutes or hours.
function axis([low, high], from, to, space, isTime) {
	const rough = Math.max((high - low) / Math.max(1, Math.abs(to - from) / space), 1e-9), power = 10 ** Math.floor(Math.log10(rough));
	const long = isTime && rough > 10;
	const steps = long ? [15, 30, 60, 120, 300, 600, 1200, 3600] : [1, 2, 5, 10].map(f => f * power), ticks = [];
	const step = steps.find(s => s >= rough * 0.999) ?? 7200, digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
	for (let k = Math.ceil(low / step - 1e-6); k * step <= high + step * 1e-6; k++) ticks.push(k * step);
	return Object.assign(v => from + (v - low) / (high - low) * (to - from), {
		ticks, step, long, label: v => long ? clock(v, 0) : fixed(v, digits), inverse: p => low + (p - from) / (to - from) * (high - low),
	});
}

function stroke(ctx, ...points) {
	ctx.beginPath();
	for (const [x, y] of points) ctx.lineTo(x, y);
	ctx.stroke();
}

function write(ctx, text, x, y, align, baseline) {
	ctx.fillStyle = color("quiet");
	ctx.textAlign = align;
	ctx.textBaseline = baseline;
	ctx.fillText(text, x, y);
}

// grid draws both axes. The last label of the horizontal one has its unit.
function grid(ctx, x, y, box, unit) {
	const sharp = p => Math.round(p) + 0.5, grey = color("grid"), edge = color("edge");
	ctx.lineWidth = 1;
	for (const v of y.ticks) {
		ctx.strokeStyle = v === 0 ? edge : grey;
		stroke(ctx, [box.l, sharp(y(v))], [box.r, sharp(y(v))]);
		write(ctx, y.label(v), box.l - 6, y(v), "right", "middle");
	}
	for (const [i, v] of x.ticks.entries()) {
		ctx.strokeStyle = v === 0 ? edge : grey;
		stroke(ctx, [sharp(x(v)), box.t], [sharp(x(v)), box.b]);
		const text = x.label(v) + (i === x.ticks.length - 1 ? " " + unit : "");
		write(ctx, text, Math.min(x(v), box.r + margin.right - ctx.measureText(text).width / 2), box.b + 5, "center", "top");
	}
}

// path draws samples as a line; of several in one column of pixels the smallest, the largest and the last. It returns the
// number of samples. NaN interrupts the line.
function path(ctx, values, xs, [from, to], x, y, steps) {
	let count = 0, column = NaN, low = 0, high = 0, last = NaN;
	const flush = () => {
		if (isNaN(column)) return;
		if (low !== high) { ctx.lineTo(column, y(low)); ctx.lineTo(column, y(high)); }
		ctx.lineTo(column, y(last));
	};
	ctx.beginPath();
	for (let i = from; i < to; i++) {
		const v = values[i], at = Math.round(x(xs[i]) * 2) / 2;
		if (!isFinite(v) || !isFinite(at)) { flush(); column = NaN; continue; }
		count++;
		if (at === column) {
			low = Math.min(low, v);
			high = Math.max(high, v);
		} else {
			flush();
			if (isNaN(column)) ctx.moveTo(at, y(v)); else if (steps) ctx.lineTo(at, y(last));
			column = at;
			low = high = v;
		}
		last = v;
	}
	flush();
	ctx.stroke();
	return count;
}

function drawLines(plot, figure) {
	const {ctx, box} = begin(figure), names = plot.Lines.map(line => line.Channel);
	const x = axis(state.range, box.l, box.r, 80, !state.distance), y = axis(plot.Range ?? extent(state.views, names, visible).wide, box.b, box.t, plot.Steps ? 18 : 28);
	if (plot.Steps) y.ticks = y.ticks.filter(Number.isInteger);
	grid(ctx, x, y, box, state.distance ? "m" : x.long ? "min" : "s");
	figure.axes = [x, y];
	ctx.beginPath();
	ctx.rect(box.l, box.t - 2, box.r - box.l, box.b - box.t + 4);
	ctx.clip();
	if (plot.Shade) drawShade(ctx, state.views[0].channels[plot.Shade], x, box);
	drawEvents(ctx, x, box);
	let points = 0;
	for (const [n, view] of state.views.entries()) {
		ctx.setLineDash(n ? [5, 3] : []);
		for (const line of [...plot.Lines].sort((a, b) => b.Broad - a.Broad)) {
			const c = view.channels[line.Channel];
			if (!c) continue;
			ctx.strokeStyle = color("c" + (plot.Lines.length === 1 ? n : line.Color));
			ctx.lineWidth = line.Broad ? 4.5 : 1.4;
			ctx.globalAlpha = line.Broad ? 0.35 : 1;
			points += path(ctx, c.Values, xOf(view), visible(view), x, y, plot.Steps);
		}
	}
	return points;
}

// drawShade fills the plot where a channel of view A is not 0.
function drawShade(ctx, channel, x, box) {
	const view = state.views[0], xs = xOf(view), [from, to] = visible(view);
	ctx.fillStyle = color("shade");
	for (let i = from; channel && i < to; i++) {
		if (!(channel.Values[i] > 0)) continue;
		const first = x(xs[i]);
		while (i + 1 < to && channel.Values[i] > 0) i++;
		ctx.fillRect(first, box.t, Math.max(1, x(xs[i]) - first), box.b - box.t);
	}
}

// drawEvents marks the events of view A.
function drawEvents(ctx, x, box) {
	const view = state.views[0];
	ctx.setLineDash([2, 3]);
	for (const e of view.drive.Events) {
		const i = nearest(view, view.time, e.Time - view.start);
		if (i < 0) continue;
		ctx.strokeStyle = color(e.Kind === "fault" || e.Kind === "gap" ? "fault" : "quiet");
		stroke(ctx, [x(xOf(view)[i]), box.t], [x(xOf(view)[i]), box.b]);
	}
}

// square returns axes with one scale for both directions. flip reverses the horizontal one.
function square(box, xs, ys, flip) {
	const scale = Math.min((box.r - box.l) / (xs[1] - xs[0]), (box.b - box.t) / (ys[1] - ys[0]));
	const spread = ([low, high], pixels) => [(low + high - pixels / scale) / 2, (low + high + pixels / scale) / 2];
	const x = axis(spread(xs, box.r - box.l), flip ? box.r : box.l, flip ? box.l : box.r, 60);
	return [x, axis(spread(ys, box.b - box.t), box.b, box.t, 40)];
}

const whole = view => [view.from, view.to];

// scheme is a sequence of colors that rise in lightness (viridis without its ends).
const scheme = ["#472f7d", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#e8e419"];

// drawMap draws where the car was. The visible part of view A has the color of a channel.
function drawMap(figure) {
	const select = document.getElementById("color"), [wideX, wideY] = data.Map.map(name => extent(state.views, [name], whole).wide);
	const shape = (wideX[1] - wideX[0]) / (wideY[1] - wideY[0]);
	figure.querySelector(".area").style.aspectRatio = Math.min(1.7, Math.max(0.8, shape));
	const {ctx, h, box} = begin(figure, 26);
	box.l = margin.right;
	const [x, y] = figure.axes = square(box, wideX, wideY);
	const {low, high} = extent(state.views, [select.value], whole), plot = data.Plots.find(p => p.Lines.some(l => l.Channel === select.value));
	let points = 0;
	for (const [n, view] of state.views.entries()) {
		const [px, py] = data.Map.map(name => view.channels[name]?.Values), values = view.channels[select.value]?.Values;
		if (!px || !py) continue;
		ctx.lineWidth = n ? 1.5 : 8;
		track(ctx, px, py, whole(view), x, y, () => color(n ? "c1" : "casing"));
		ctx.lineWidth = 5;
		const shade = i => scheme[Math.min(scheme.length - 1, Math.floor((values[i] - low) / (high - low || 1) * scheme.length))] ?? color("casing");
		if (n === 0 && values) points = track(ctx, px, py, visible(view), x, y, shade);
	}
	ctx.strokeStyle = color("quiet");
	ctx.lineWidth = 1.5;
	const length = x(x.step) - x(0);
	stroke(ctx, [box.l, h - 10], [box.l, h - 6], [box.l + length, h - 6], [box.l + length, h - 10]);
	write(ctx, x.label(x.step) + " m", box.l + length + 6, h - 2, "left", "bottom");
	const [first, bar, last] = document.getElementById("scale").children, digits = high - low < 10 ? 2 : 0;
	first.textContent = fixed(low, digits) + " " + plot.Unit;
	last.textContent = fixed(high, digits) + " " + plot.Unit;
	bar.style.background = `linear-gradient(90deg, ${scheme.join()})`;
	return points;
}

// track draws a line of positions in the color of each sample. It returns the number of samples.
function track(ctx, px, py, [from, to], x, y, colorOf) {
	let count = 0, before = null, now = "";
	ctx.beginPath();
	for (let i = from; i < to; i++) {
		const at = [x(px[i]), y(py[i])];
		if (!at.every(isFinite)) { before = null; continue; }
		count++;
		if (before && Math.abs(at[0] - before[0]) + Math.abs(at[1] - before[1]) < 1) continue;
		const next = colorOf(i);
		if (next !== now) {
			ctx.stroke();
			ctx.beginPath();
			ctx.strokeStyle = now = next;
			if (before) ctx.moveTo(...before);
		}
		if (before) ctx.lineTo(...at); else ctx.moveTo(...at);
		before = at;
	}
	ctx.stroke();
	return count;
}

function drawGG(figure) {
	const {ctx, h, box} = begin(figure, 34), unit = data.Plots.find(p => p.Lines.some(l => l.Channel === data.GG[0])).Unit;
	const [x, y] = figure.axes = square(box, ...data.GG.map(name => extent(state.views, [name], whole).wide), true);
	grid(ctx, x, y, box, "");
	write(ctx, `← left, lateral [${unit}], right →`, (box.l + box.r) / 2, h - 1, "center", "bottom");
	ctx.save();
	ctx.rotate(-Math.PI / 2);
	write(ctx, `longitudinal [${unit}]`, -(box.t + box.b) / 2, 8, "center", "middle");
	ctx.restore();
	ctx.globalAlpha = 0.5;
	let points = 0;
	for (const [n, view] of state.views.entries()) {
		const [gx, gy] = data.GG.map(name => view.channels[name]?.Values), [from, to] = visible(view);
		ctx.fillStyle = color("c" + n);
		for (let i = from; gx && gy && i < to; i++) {
			if (!isFinite(gx[i]) || !isFinite(gy[i])) continue;
			ctx.fillRect(x(gx[i]) - 1, y(gy[i]) - 1, 2, 2);
			points++;
		}
	}
	return points;
}

// drawHistogram draws a bar for each bin. The number of ticks has a logarithmic axis, since the rare late ticks matter.
function drawHistogram(figure) {
	const {ctx, box} = begin(figure), bins = data.Bins, decades = Math.max(1, Math.ceil(Math.log10(Math.max(...bins.map(b => b.Count)))));
	const y = axis([-0.3, decades], box.b, box.t, 1), x = axis([0, bins.length], box.l, box.r, 1);
	ctx.strokeStyle = color("grid");
	for (let d = 0; d <= decades; d += Math.ceil(decades / 4)) {
		write(ctx, d < 4 ? String(10 ** d) : "10" + String(d).replace(/./g, c => "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]), box.l - 6, y(d), "right", "middle");
		stroke(ctx, [box.l, y(d)], [box.r, y(d)]);
	}
	const every = Math.ceil(bins.length * 52 / (box.r - box.l));
	for (const [i, bin] of bins.entries()) {
		ctx.fillStyle = color("c0");
		if (bin.Count > 0) ctx.fillRect(x(i) + 1, y(Math.log10(bin.Count)), Math.max(1, x(1) - x(0) - 2), box.b - y(Math.log10(bin.Count)));
		const text = "< " + Number((bin.UpTo / 1e3).toPrecision(2)) + (i === bins.length - 1 ? " µs" : "");
		if ((bins.length - 1 - i) % every === 0) write(ctx, text, Math.min(x(i + 1), box.r + margin.right), box.b + 5, "right", "top");
	}
	return bins.length;
}
