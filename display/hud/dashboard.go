package hud

import (
	"math"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/kit/valid"
)

// Sizes of the instruments of the car's dashboard, and where the second ones begin in x [layout units]. A unit is about as large as
// one of the instruments over the picture if that is 720 units high.
const (
	ClusterWidth, ClusterHeight = 328, 136
	TimesWidth, TimesHeight     = 240, 120
)

// Dashboard lays out the instruments of the car's dashboard: those behind the steering wheel in the first cluster vertices, and the lap
// times after them. Both begin at 0, 0. It returns three vertices for each triangle, which are valid until the next call or that of
// Draw.
func (c *Canvas) Dashboard(f *frame.Frame, s *Status) (vertices []Vertex, cluster int) {
	c.vertices, c.texts = c.vertices[:0], c.texts[:0]
	c.drawShiftLights(f.RPM, shiftAt(s))
	c.drawRevs(f, s)
	c.drawDashSpeed(f)
	c.drawDashTank(f)
	c.drawLamps(f)
	cluster = len(c.vertices)
	c.drawDashTimes(&f.Lap, f.Flags)
	return c.vertices, cluster
}

// dashSizes holds the size of each typeface on the dashboard [layout units], which is nearer to the eye than the picture.
var dashSizes = [typefaceCount]float32{14, 19, 50}

// dashScale returns by how much a typeface is drawn smaller on the dashboard.
func dashScale(t typeface) float32 { return dashSizes[t] / float32(typeSizes[t]) }

// dash adds the text s as write does, in the size of the dashboard.
func (c *Canvas) dash(t typeface, x, y float32, a align, s []byte, color rgba) {
	before, k := c.view, dashScale(t)
	c.view.scale *= k
	c.write(t, x/k, y/k, a, s, color)
	c.view = before
}

// shiftAt returns the engine speed at which to change up [1/min].
func shiftAt(s *Status) float64 {
	if s.ShiftUpRPM > 0 {
		return s.ShiftUpRPM
	}
	return 0.85 * s.MaxRPM
}

// shiftLights is how many lights there are; the last one is lit at the engine speed at which to change up.
const shiftLights = 9

// litLights returns how many shift lights are lit at an engine speed [1/min]: none up to 80 % of that at which to change up.
func litLights(rpm, shiftUp float64) int {
	const first = 0.80
	if !(shiftUp > 0) || !(rpm > first*shiftUp) { // also false for NaN
		return 0
	}
	return int(min((rpm/shiftUp-first)/(1-first)*(shiftLights-1)+1+1e-9, shiftLights))
}

// drawShiftLights draws a row of lights: green, yellow, red, and all blue at the engine speed at which to change up.
func (c *Canvas) drawShiftLights(rpm, shiftUp float64) {
	const step, size = 15, 9
	lit := litLights(rpm, shiftUp)
	x := float32(ClusterWidth-(shiftLights-1)*step-size) / 2
	for i := range shiftLights {
		color := trackColor
		switch {
		case lit == shiftLights:
			color = accentColor
		case i >= lit:
		case i < 4:
			color = okColor
		case i < 7:
			color = warnColor
		default:
			color = alarmColor
		}
		c.panel(x+float32(i)*step, 4, size, size, size/2, color)
	}
}

// drawRevs draws the engine speed as a bar with marks for each thousand, red from where to change up.
func (c *Canvas) drawRevs(f *frame.Frame, s *Status) {
	const left, right, top, bottom = 64, ClusterWidth - 64, 18, 30
	full, shift := max(s.MaxRPM, 1000), shiftAt(s)
	at := func(rpm float64) float32 { return left + (right-left)*float32(fraction(math.Max(0, rpm), full)) }
	color := accentColor
	if f.RPM >= shift {
		color = alarmColor
	}
	c.rect(left, top, right, bottom, trackColor)
	c.rect(at(shift), top, right, bottom, rgba{0.96, 0.16, 0.14, 0.45})
	c.rect(left, top, at(f.RPM), bottom, color)
	const most = 20 // marks
	step := 1000.0
	for full/step > most {
		step *= 10
	}
	for rpm := 0.0; rpm <= full; rpm += step {
		c.rect(at(rpm)-0.75, bottom, at(rpm)+0.75, bottom+4, dimColor)
		if step == 1000 && math.Mod(rpm, 2000) == 0 {
			c.dash(smallType, at(rpm), bottom+16, alignCenter, c.figures("%.0f", rpm/1000), dimColor)
		}
	}
}

// drawDashSpeed draws the gear on the left, and the speed on its right.
func (c *Canvas) drawDashSpeed(f *frame.Frame) {
	color := textColor
	if f.Flags&frame.GearsGrinding != 0 {
		color = alarmColor
	}
	c.dash(largeType, 92, 92, alignCenter, []byte(frame.GearName(f.Gear)), color)
	mode := "M"
	if f.Flags&frame.AutoGears != 0 {
		mode = "A"
	}
	c.dash(smallType, 116, 68, alignLeft, []byte(mode), dimColor)
	c.dash(largeType, 222, 92, alignRight, c.figures("%.0f", min(math.Abs(f.Speed)*3.6, 999)), textColor)
	c.dash(smallType, 227, 92, alignLeft, []byte("km/h"), dimColor)
}

// drawDashTank draws the level of tank or battery as an upright bar with a figure, on the right.
func (c *Canvas) drawDashTank(f *frame.Frame) {
	const left, top, bottom = 291, 50, 86
	if math.IsNaN(f.Charge) {
		return
	}
	level := float32(fraction(max(0, f.Charge), 1))
	bar, color := okColor, textColor
	if f.Charge <= lowCharge {
		bar, color = alarmColor, alarmColor
	}
	figure := c.figures("%.0f L", min(f.Fuel, 999))
	if math.IsNaN(f.Fuel) {
		figure = c.figures("%.0f %%", 100*float64(level))
	}
	c.rect(left, top, left+10, bottom, trackColor)
	c.rect(left, bottom-(bottom-top)*level, left+10, bottom, bar)
	c.dash(smallType, left+5, bottom+15, alignCenter, figure, color)
}

// lamp is a warning lamp or the level of an aid.
type lamp struct {
	text  []byte
	color rgba // while it is lit
	lit   bool
	on    bool // the name is bright
}

// lampList returns the lamps: the driving aids with their levels, yellow while one intervenes; pit limiter, engine that stands, handbrake (P), and faults.
func (c *Canvas) lampList(f *frame.Frame) [7]lamp {
	has := func(bit uint64) bool { return f.Flags&bit != 0 }
	aid := func(name, format string, level, active uint64) lamp {
		l := lamp{text: c.join(name), color: warnColor, lit: has(active), on: level > 0}
		if level > 0 {
			l.text = c.figures(format, float64(level))
		}
		return l
	}
	state := guard.State(f.State)
	fault := lamp{text: c.join("FAULT"), color: alarmColor, lit: state == guard.Fault || state == guard.Stopped}
	if state == guard.Stopped {
		fault.text = c.join("STOP")
	}
	return [7]lamp{
		aid("ABS", "ABS %.0f", f.ABS, frame.ABSActive), aid("TC", "TC %.0f", f.Traction, frame.TractionActive),
		aid("ESC", "ESC %.0f", f.Stability, frame.StabilityActive),
		{text: c.join("PIT"), color: accentColor, lit: has(frame.PitLimiterOn)},
		{text: c.join("ENG"), color: warnColor, lit: !has(frame.EngineRunning)},
		{text: c.join("P"), color: alarmColor, lit: f.Handbrake > 0.02},
		fault,
	}
}

// drawLamps draws the lamps in a row. One that is not lit is dark.
func (c *Canvas) drawLamps(f *frame.Frame) {
	const top, height, gap, between = 108, 20, 4, 3
	lamps := c.lampList(f)
	width := float32(-between)
	for i := range lamps {
		width += dashScale(smallType)*c.atlas.width(smallType, lamps[i].text) + 2*gap + between
	}
	x := (ClusterWidth - width) / 2
	for i := range lamps {
		l := &lamps[i]
		w := dashScale(smallType)*c.atlas.width(smallType, l.text) + 2*gap
		background, letters := trackColor, rgba{1, 1, 1, 0.28}
		switch {
		case l.lit:
			background, letters = l.color, darkColor
		case l.on:
			letters = textColor
		}
		c.panel(x, top, w, height, 4, background)
		c.dash(smallType, x+gap, top+15, alignLeft, l.text, letters)
		x += w + between
	}
}

// drawDashTimes draws the time of this lap, its difference from the best one, and the last and the best lap.
func (c *Canvas) drawDashTimes(l *frame.Lap, flags uint64) {
	const left, right = 12, TimesWidth - 12
	name, color := c.join("OUT LAP"), textColor
	if l.Number > 0 {
		name = c.figures("LAP %.0f", float64(min(l.Number, 9999)))
	}
	if flags&frame.LapInvalid != 0 {
		name, color = c.join("INVALID"), alarmColor
	}
	c.dash(mediumType, left, 26, alignLeft, name, dimColor)
	c.dash(mediumType, right, 26, alignRight, c.time(l.Time, 1), color)
	c.dash(mediumType, left, 54, alignLeft, []byte("DELTA"), dimColor)
	if math.IsNaN(l.Delta) || l.Best == 0 {
		c.dash(mediumType, right, 54, alignRight, []byte("–"), dimColor)
	} else {
		faster := okColor
		if l.Delta > 0 {
			faster = warnColor
		}
		c.dash(mediumType, right, 54, alignRight, c.figures("%+.2f", valid.Clamp(l.Delta, -999, 999)), faster)
	}
	last := textColor
	if flags&frame.LastLapInvalid != 0 {
		last = alarmColor
	}
	c.dash(mediumType, left, 82, alignLeft, []byte("LAST"), dimColor)
	c.dash(mediumType, right, 82, alignRight, c.time(l.Last, 3), last)
	c.dash(mediumType, left, 110, alignLeft, []byte("BEST"), dimColor)
	c.dash(mediumType, right, 110, alignRight, c.time(l.Best, 3), textColor)
}
