package hud

import "rig.example/rig/internal/core/frame"

// Sizes of the page of charts.
const (
	chartsWidth = 456
	chartHeight = 92
	chartPitch  = chartHeight + 50 // from one chart to the next
)

// curve is a degree of freedom of the platform on a chart.
type curve struct {
	freedom int
	name    string
	color   rgba
}

// Curves of the charts of the platform.
var (
	tiltCurves  = [...]curve{{frame.Roll, "roll right", accentColor}, {frame.Pitch, "nose down", warnColor}, {frame.Yaw, "yaw left", okColor}}
	shiftCurves = [...]curve{{frame.Surge, "forward", accentColor}, {frame.Sway, "left", warnColor}, {frame.Heave, "up", okColor}}
)

// drawCharts draws the last 10 s of the torque at the rim and of the platform's target pose; now is at the right.
func drawCharts(c *Canvas, room place, f *frame.Frame) {
	const height = 3*chartPitch + 8
	defer func(v view) { c.view = v }(c.fit(room, chartsWidth, height, c.options.side()))
	c.card(chartsWidth, height)
	drawTorqueChart(c, f)
	drawPoseChart(c, chartPitch, tiltCurves[:], degrees(1), 5, "TILT  ±%.0f°")
	drawPoseChart(c, 2*chartPitch, shiftCurves[:], 1e3, 50, "SHIFT  ±%.0f mm")
}

// chartField draws the background of a chart below y, and returns it.
func chartField(c *Canvas, y float32) place {
	p := place{inset, y + 38, chartsWidth - 2*inset, chartHeight}
	c.track(p)
	c.rect(p.x, p.y+p.h/2-0.5, p.x+p.w, p.y+p.h/2+0.5, dimColor)
	return p
}

// drawTorqueChart draws the torque at the rim, the lowest and the highest of each sample; left is up.
func drawTorqueChart(c *Canvas, f *frame.Frame) {
	full := max(float32(clampForText(f.RatedTorque)), 1)
	c.write(smallType, inset, 28, alignLeft, c.figures("RIM  ±%.0f N·m", float64(full)), dimColor)
	c.text(smallType, chartsWidth-inset, 28, alignRight, "up: left", dimColor)
	p := chartField(c, 0)
	step, middle := p.w/traceLength, p.y+p.h/2
	for i := range c.trace.count {
		s, x := c.trace.at(i), p.x+p.w-step*float32(i)
		high, low := middle-p.h/2*within(s.high/full), middle-p.h/2*within(s.low/full)
		c.rect(x-step, high-1.5, x, low+1.5, accentColor)
	}
}

// drawPoseChart draws curves of the platform's pose below y: its values times factor, full at ±least or at a power of two times it.
func drawPoseChart(c *Canvas, y float32, curves []curve, factor, least float64, title string) {
	full := least
	for i := range c.trace.count {
		for _, k := range curves {
			for v := float64(c.trace.at(i).pose[k.freedom]) * factor; full < max(v, -v) && full < 32*least; {
				full *= 2
			}
		}
	}
	end := c.write(smallType, inset, y+28, alignLeft, c.figures(title, full), dimColor)
	p := chartField(c, y)
	x := p.x + p.w
	for i := len(curves) - 1; i >= 0; i-- {
		if w := c.atlas.textWidth(smallType, curves[i].name); x-w > end+12 {
			c.text(smallType, x, y+28, alignRight, curves[i].name, curves[i].color)
			x -= w + 14
		}
	}
	step, middle, k := p.w/traceLength, p.y+p.h/2, float32(factor/full)
	for _, curve := range curves {
		for i := 1; i < c.trace.count; i++ {
			now, before := c.trace.at(i - 1).pose[curve.freedom], c.trace.at(i).pose[curve.freedom]
			x := p.x + p.w - step*float32(i)
			c.line(x+step, middle-p.h/2*within(now*k), x, middle-p.h/2*within(before*k), 3, curve.color)
		}
	}
}

// within returns v, at most so far from 0 that a line stays on its chart.
func within(v float32) float32 { return min(max(v, -0.96), 0.96) }
