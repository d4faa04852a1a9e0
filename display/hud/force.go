package hud

import (
	"fmt"
	"math"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/valid"
)

// ForcePage is the page of the force, and what it keeps from picture to picture.
type ForcePage struct {
	Name  func(int) string       // of an effect, "" where there is none; must not be nil
	shown [frame.MaxEffects]bool // effects that did something so far
}

// forceRow is one stage on the page.
type forceRow struct {
	name   string
	torque float64 // the figure [N·m]
	bar    float64 // what the bar shows [N·m at the rim]
	color  rgba
}

// rows returns the stages from column to rim. The column's bar is what would come of it
// at the rim with nothing added or taken away.
func (p *ForcePage) rows(f *frame.Frame) []forceRow {
	v := &f.Force
	main := func(name string, torque float64) forceRow { return forceRow{name, torque, torque, accent} }
	part := func(name string, torque float64) forceRow { return forceRow{"   " + name, torque, torque, faint} }
	list := []forceRow{{"column", v.Column, v.Column * v.Scale, accent}, main("gained", v.Gained)}
	for i, e := range v.Effects {
		p.shown[i] = p.shown[i] || e != 0 && p.Name(i) != ""
		if p.shown[i] {
			list = append(list, part(p.Name(i), e))
		}
	}
	list = append(list, part("lead", v.Lead), part("damping", v.Damping), part("friction", v.Friction), part("inertia", v.Inertia), part("soft lock", v.Lock),
		main("asked", f.AskedTorque), main("limited", v.Limited), main("sent", v.Sent), main("at the rim", f.RimTorque))
	if f.Flags&frame.Clipping != 0 {
		list[len(list)-4].color = alarm
	}
	return list
}

const (
	forceLeft  = 130 // beside the assists
	forceWidth = 356
	forceStep  = 16 // from row to row
)

// drawForce draws the force's way from column to rim, stage by stage.
func drawForce(c *Canvas, f *frame.Frame, p *ForcePage) {
	const head, foot = 40, 66
	rows := p.rows(f)
	left, right := float32(forceLeft+14), float32(forceLeft+forceWidth-14)
	y := float32(lapTop)
	c.panel(forceLeft, y, forceWidth, head+foot+forceStep*float32(len(rows)), 12, ground)
	drawForceHead(c, left, right, y+24, f)
	y += head
	for _, r := range rows {
		drawForceRow(c, left, right, y, r, f.RatedTorque)
		y += forceStep
	}
	drawForceFoot(c, left, right, y+20, f)
}

// drawForceHead draws what the wheel may give, and a light while more is asked for.
func drawForceHead(c *Canvas, left, right, y float32, f *frame.Frame) {
	end := c.text(smallType, left, y, leftward, "FORCE", faint)
	paper, letters := trough, faint
	if f.Flags&frame.Clipping != 0 {
		paper, letters = alarm, ink
	}
	c.panel(end+10, y-14, 44, 18, 5, paper)
	c.text(smallType, end+32, y, centred, "CLIP", letters)
	rated := fmt.Sprintf("± %.3g N·m", figure(f.RatedTorque))
	if f.Force.Own > 0 {
		rated = fmt.Sprintf("rim %.2g + own %.2g N·m", figure(f.Force.Total-f.Force.Own), figure(f.Force.Own))
	}
	if f.Flags&frame.TorqueHeld != 0 {
		rated += ", more: U"
	}
	c.text(smallType, right, y, rightward, rated, faint)
}

// drawForceRow draws a stage's name, figure and bar; to the left it is positive.
func drawForceRow(c *Canvas, left, right, y float32, r forceRow, rated float64) {
	const figures, bars = 148, 160
	name := ink
	if r.color == faint {
		name = faint
	}
	c.text(smallType, left, y+11, leftward, r.name, name)
	c.text(smallType, left+figures, y+11, rightward, fmt.Sprintf("%+.2f", figure(r.torque)), name)
	c.rect(left+bars, y+2, right, y+12, trough)
	from, to := centredBar(left+bars, right-left-bars, r.bar, rated)
	c.rect(from, y+2, to, y+12, r.color)
	middle := (left + bars + right) / 2
	c.rect(middle-0.5, y, middle+0.5, y+14, ink)
}

// drawForceFoot draws what is lost, and how strong all is.
func drawForceFoot(c *Canvas, left, right, y float32, f *frame.Frame) {
	v, color, advice := &f.Force, ink, ""
	if v.Clipped > frame.MuchClipped {
		color, advice = caution, ": lower it with -"
	}
	c.text(smallType, left, y, leftward, fmt.Sprintf("clipped %.1f %%%s", 100*figure(v.Clipped), advice), color)
	c.text(smallType, right, y, rightward, fmt.Sprintf("gain %.0f %%", 100*figure(f.Gain)), ink)
	c.text(smallType, left, y+18, leftward, fmt.Sprintf("learned peak %.1f N·m, scale %.2f", figure(v.Peak), figure(v.Scale)), faint)
	c.text(smallType, right, y+18, rightward, fmt.Sprintf("hands %.0f %%", 100*figure(v.HandsOn)), faint)
	rate := "rate unknown"
	if v.Rate > 0 {
		rate = fmt.Sprintf("%.0f a second", figure(v.Rate))
	}
	c.text(smallType, left, y+36, leftward, fmt.Sprintf("%s, %.1f ms late", rate, 1e3*figure(v.Delay)), faint)
}

// figure keeps a number's text short.
func figure(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return valid.Clamp(v, -9999, 9999)
}
