package hud

import (
	"fmt"
	"math"

	"rig.example/rig/internal/frame"
)

// assist is one of the car's helpers as the driver must see it.
type assist struct {
	name  string
	works bool // in this moment
}

// helpers returns the assists that are switched on, with their levels.
func helpers(f *frame.Frame) []assist {
	var list []assist
	for _, l := range [...]struct {
		name  string
		level uint64
		works uint64
	}{
		{"ABS", f.ABS, frame.ABSWorks},
		{"TC", f.Traction, frame.TractionWorks},
		{"ESC", f.Stability, frame.StabilityWorks},
	} {
		if l.level > 0 {
			list = append(list, assist{fmt.Sprintf("%s %d", l.name, l.level), f.Flags&l.works != 0})
		}
	}
	if f.Flags&frame.LaunchOn != 0 {
		list = append(list, assist{"LAUNCH", f.Flags&frame.LaunchWorks != 0})
	}
	if f.Flags&frame.PitOn != 0 {
		list = append(list, assist{"PIT", f.Flags&frame.PitWorks != 0})
	}
	for _, l := range [...]struct {
		bit  uint64
		name string
	}{{frame.HighTorque, "STRONG"}, {frame.LetGo, "LET GO"}, {frame.HandsOff, "NO HANDS"},
		{frame.Flashes, "FLASH"}, {frame.Paused, "PAUSE"}, {frame.GainChanged, fmt.Sprintf("FFB %.0f", 100*f.Gain)}} {
		if f.Flags&l.bit != 0 {
			list = append(list, assist{l.name, true})
		}
	}
	if f.Hand > 0.02 { // less is a lever that rests
		list = append(list, assist{"HAND", true})
	}
	if f.Damp > 0 {
		list = append(list, assist{fmt.Sprintf("RAIN %.0f", 100*f.Damp), false})
	}
	return list
}

// shade is read on a panel that is lit.
var shade = rgba{0.05, 0.065, 0.085, 1}

// drawAssists draws the assists below each other at the left edge; one that works lights up.
func drawAssists(c *Canvas, f *frame.Frame) {
	const top, height, gap = 104, 28, 6
	y := float32(top)
	for _, a := range helpers(f) {
		dot, letters, paper := faint, ink, ground
		if a.works {
			dot, letters, paper = shade, shade, caution
		}
		c.panel(margin, y, 98, height, height/2, paper)
		c.panel(margin+10, y+10, 8, 8, 4, dot)
		c.text(smallType, margin+26, y+19, leftward, a.name, letters)
		y += height + gap
	}
}

// lowTank is the share of tank or battery below which the driver is warned.
const lowTank = 0.1

// drawTank draws what is left in tank or battery from left to right, below the speed.
func drawTank(c *Canvas, left, right, y float32, f *frame.Frame) {
	if math.IsNaN(f.Charge) {
		return
	}
	text, color := fmt.Sprintf("%.1f L", f.Fuel), faint
	if math.IsNaN(f.Fuel) {
		text = fmt.Sprintf("%.0f %%", 100*share(max(0, f.Charge), 1))
	}
	bar := accent
	if f.Charge <= lowTank {
		color, bar = caution, caution
	}
	const figure = 52
	c.text(smallType, left, y, leftward, text, color)
	c.rect(left+figure, y-8, right, y-3, trough)
	c.rect(left+figure, y-8, left+figure+(right-left-figure)*float32(share(max(0, f.Charge), 1)), y-3, bar)
}

// drawGear draws the gear in a box of 60 by 60, red while it grinds, and who changes it: A
// the car, M the driver.
func drawGear(c *Canvas, x, y float32, f *frame.Frame) {
	paper := trough
	if f.Flags&frame.Grinds != 0 {
		paper = alarm
	}
	c.panel(x, y, 60, 60, 8, paper)
	c.text(largeType, x+26, y+48, centred, frame.GearName(f.Gear), ink)
	who := "M"
	if f.Flags&frame.AutoGears != 0 {
		who = "A"
	}
	c.text(smallType, x+54, y+18, rightward, who, faint)
}
