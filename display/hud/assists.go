package hud

import (
	"math"

	"rig.example/rig/internal/frame"
)

// indicator is one entry of the list at the left edge.
type indicator struct {
	text []byte
	lit  bool // active at this moment
}

// indicators returns the driving aids that are switched on, with their levels, and the other states of the
// drive that the driver must know of. The result is valid until the next call.
func (c *Canvas) indicators(f *frame.Frame) []indicator {
	list := c.indicatorList[:0]
	for _, aid := range [...]struct {
		format     string
		level      uint64
		activeFlag uint64
	}{
		{"ABS %.0f", f.ABS, frame.ABSActive},
		{"TC %.0f", f.Traction, frame.TractionActive},
		{"ESC %.0f", f.Stability, frame.StabilityActive},
	} {
		if aid.level > 0 {
			list = append(list, indicator{c.figures(aid.format, float64(aid.level)), f.Flags&aid.activeFlag != 0})
		}
	}
	if f.Flags&frame.LaunchOn != 0 {
		list = append(list, indicator{c.join("LAUNCH"), f.Flags&frame.LaunchActive != 0})
	}
	if f.Flags&frame.PitLimiterOn != 0 {
		list = append(list, indicator{c.join("PIT"), f.Flags&frame.PitLimiterActive != 0})
	}
	for _, aid := range [...]struct {
		bit    uint64
		format string
	}{{frame.HighTorque, "HI TORQUE"}, {frame.DeadManReleased, "DEADMAN"}, {frame.HandsOff, "HANDS OFF"},
		{frame.HeadlightFlash, "FLASH"}, {frame.Paused, "PAUSED"}, {frame.GainChanged, "FFB %.0f"}} {
		if f.Flags&aid.bit != 0 {
			list = append(list, indicator{c.figures(aid.format, 100*f.Gain), true})
		}
	}
	if f.Handbrake > 0.02 { // a lever at rest may read a little more than 0
		list = append(list, indicator{c.join("HANDBRAKE"), true})
	}
	if f.GripLoss > 0 {
		list = append(list, indicator{c.figures("RAIN %.0f", 100*f.GripLoss), false})
	}
	c.indicatorList = list
	return list
}

// darkColor is the color of texts on a lit panel.
var darkColor = rgba{0.05, 0.065, 0.085, 1}

// drawAssists draws the indicators in a column at the left edge.
func drawAssists(c *Canvas, f *frame.Frame) {
	const top, width, height, gap = 104, 117, 28, 6
	y := float32(top)
	for _, a := range c.indicators(f) {
		dotColor, letterColor, backgroundColor := dimColor, textColor, panelColor
		if a.lit {
			dotColor, letterColor, backgroundColor = darkColor, darkColor, warnColor
		}
		c.panel(margin, y, width, height, height/2, backgroundColor)
		c.panel(margin+8, y+10, 8, 8, 4, dotColor)
		c.write(smallType, margin+22, y+19, alignLeft, a.text, letterColor)
		y += height + gap
	}
}

// lowCharge is the fraction of tank or battery below which the driver is warned.
const lowCharge = 0.1

// drawTank draws the level of tank or battery as a figure and a bar, below the speed.
func drawTank(c *Canvas, left, right, y float32, f *frame.Frame) {
	if math.IsNaN(f.Charge) {
		return
	}
	figure, color := c.figures("%.1f L", f.Fuel), dimColor
	if math.IsNaN(f.Fuel) {
		figure = c.figures("%.0f %%", 100*fraction(max(0, f.Charge), 1))
	}
	bar := accentColor
	if f.Charge <= lowCharge {
		color, bar = warnColor, warnColor
	}
	const figureWidth = 52
	c.write(smallType, left, y, alignLeft, figure, color)
	c.rect(left+figureWidth, y-8, right, y-3, trackColor)
	c.rect(left+figureWidth, y-8, left+figureWidth+(right-left-figureWidth)*float32(fraction(max(0, f.Charge), 1)), y-3, bar)
}

// drawGear draws the gear in a box of 60 by 60, which is red while the gear grinds, and the mode of
// shifting: A automatic, M manual.
func drawGear(c *Canvas, x, y float32, f *frame.Frame) {
	backgroundColor := trackColor
	if f.Flags&frame.GearsGrinding != 0 {
		backgroundColor = alarmColor
	}
	c.panel(x, y, 60, 60, 8, backgroundColor)
	c.text(largeType, x+26, y+48, alignCenter, frame.GearName(f.Gear), textColor)
	mode := "M"
	if f.Flags&frame.AutoGears != 0 {
		mode = "A"
	}
	c.text(smallType, x+54, y+18, alignRight, mode, dimColor)
}
