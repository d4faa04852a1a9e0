package hud

import (
	"math"
	"testing"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/core/frame"
)

// The trace keeps the last 10 s, the extremes within each sample, and begins anew after a jump.
func TestTraceKeepsTenSeconds(t *testing.T) {
	var r trace
	for tick := uint64(0); tick < 15_000; tick += 10 {
		torque := float64(tick) / 1000
		if tick%100 == 20 {
			torque = -5
		}
		r.add(&frame.Frame{Tick: tick, RimTorque: torque})
	}
	if r.count != traceLength {
		t.Fatalf("%d samples", r.count)
	}
	newest, oldest := r.at(0), r.at(r.count-1)
	if math.Abs(float64(newest.high)-14.99) > 0.001 || math.Abs(float64(oldest.high)-5.04) > 0.001 || r.at(1).low != -5 || newest.low == -5 {
		t.Errorf("from %+v to %+v", oldest, newest)
	}
	r.add(&frame.Frame{Tick: 15_400, RimTorque: 3})
	if r.at(0).high != 3 || r.at(8).high != 3 || r.at(9).high == 3 {
		t.Error("samples of which no picture was drawn do not keep the time")
	}
	for _, tick := range []uint64{2000, 900_000} {
		if r.add(&frame.Frame{Tick: tick, RimTorque: math.NaN()}); r.count != 1 || r.at(0).high != 0 {
			t.Errorf("after a jump to %d: %d samples, %+v", tick, r.count, r.at(0))
		}
	}
}

// A torque to the left is drawn upwards, and the newest sample is at the right.
func TestChartOfTheTorque(t *testing.T) {
	c := testCanvas(t)
	for tick := uint64(0); tick < 10_000; tick += traceTicks {
		torque := 4.0
		if tick >= 5000 {
			torque = -4
		}
		c.trace.add(&frame.Frame{Tick: tick, RimTorque: torque})
	}
	drawTorqueChart(c, &frame.Frame{RatedTorque: 8})
	middle := float32(38 + chartHeight/2)
	for _, v := range c.vertices {
		if v.rgba == accentColor && (v.x < chartsWidth/2-3 && v.y > middle || v.x > chartsWidth/2+3 && v.y < middle) {
			t.Fatalf("a corner at %g, %g about %g", v.x, v.y, middle)
		}
	}
	if left, _, right, _, _ := c.extent(accentColor); left > inset+0.1 || right < chartsWidth-inset-0.1 {
		t.Errorf("the line is from %g to %g", left, right)
	}
}

// The car is on the map where it is on the circuit, as is the ghost; a circuit that is longer from north to south lies across.
func TestMapShowsWhereTheCarIs(t *testing.T) {
	s := displaytest.Oval()
	for _, turned := range []bool{false, true} {
		if turned {
			for i := range s.Points {
				p := &s.Points[i]
				p.X, p.Y = -p.Y, p.X
			}
		}
		c := testCanvas(t)
		c.SetScene(s)
		room := place{0, 0, 300, 200}
		for _, i := range []int{0, 40, 150, 290} {
			c.vertices = c.vertices[:0]
			p := &s.Points[i]
			drawMap(c, room, &frame.Frame{Pos: [3]float64{p.X, p.Y}}, &Status{Ghost: true, GhostAt: [2]float64{math.NaN(), 0}})
			left, top, right, bottom, _ := c.extent(alarmColor)
			x, y := (left+right)/2, (top+bottom)/2
			nearest := math.MaxFloat64
			for _, v := range c.vertices {
				if v.rgba == dimColor {
					nearest = min(nearest, math.Hypot(float64(v.x-x), float64(v.y-y)))
				}
			}
			if nearest > 6 {
				t.Errorf("turned %v, point %d: the car is %g from the line", turned, i, nearest)
			}
			if _, _, _, _, n := c.extent(ghostColor); n != 0 {
				t.Error("a ghost that is nowhere is shown")
			}
		}
		if left, _, right, _, _ := c.extent(dimColor); right-left < 290 {
			t.Errorf("turned %v: the circuit is %g wide", turned, right-left)
		}
	}
	c := testCanvas(t)
	c.SetScene(&frame.Scene{})
	if drawMap(c, place{0, 0, 300, 200}, &frame.Frame{}, &Status{}); !c.says("no circuit") {
		t.Errorf("without a circuit: %q", c.audit.words)
	}
}

// On the map east is right and north is up.
func TestMapIsNotMirrored(t *testing.T) {
	c := testCanvas(t)
	c.SetScene(&frame.Scene{Points: []frame.Point{{X: 0, Y: 0}, {X: 100, Y: 0}, {X: 100, Y: 50}}})
	x0, y0 := c.circuit.spot(place{0, 0, 200, 200}, c.circuit.plan([2]float64{10, 10}))
	x1, y1 := c.circuit.spot(place{0, 0, 200, 200}, c.circuit.plan([2]float64{60, 40}))
	if x1 <= x0 || y1 >= y0 {
		t.Errorf("from %g, %g to %g, %g", x0, y0, x1, y1)
	}
	c.SetScene(&frame.Scene{Points: []frame.Point{{X: 0, Y: 0}, {X: 0, Y: 100}, {X: 50, Y: 100}}})
	north, _ := c.circuit.spot(place{0, 0, 200, 200}, c.circuit.plan([2]float64{0, 80}))
	south, ySouth := c.circuit.spot(place{0, 0, 200, 200}, c.circuit.plan([2]float64{0, 10}))
	_, yEast := c.circuit.spot(place{0, 0, 200, 200}, c.circuit.plan([2]float64{40, 10}))
	if north <= south || yEast <= ySouth {
		t.Errorf("turned: north %g, south %g; east at %g below %g", north, south, yEast, ySouth)
	}
}

// The start line is where it is along the center line, whether the scene tells its length or not.
func TestMapShowsTheStartLine(t *testing.T) {
	s := displaytest.Oval()
	for _, length := range []float64{0, 2 * (displaytest.OvalStraight + math.Pi*displaytest.OvalRadius)} {
		c := testCanvas(t)
		s.LapLength, s.Start = length, 120
		c.SetScene(s)
		if at := c.circuit.points[c.circuit.start]; math.Abs(at[0]-120) > 5 || math.Abs(at[1]+displaytest.OvalRadius) > 1 {
			t.Errorf("length %g: the start line is at %v", length, at)
		}
	}
}

// The dot of the g-g circle is where the car accelerates to, in words as well.
func TestCircleOfAccelerations(t *testing.T) {
	for _, tt := range []struct {
		acc    [3]float64
		dx, dy float32
		says   [2]string
	}{
		{[3]float64{0, 0.5 * gravity, 0}, -gRadius / 2, 0, [2]string{"0.50 g left", "0.00 g"}},
		{[3]float64{-gravity, 0, 0}, 0, gRadius, [2]string{"0.00 g", "1.00 g braking"}},
		{[3]float64{3 * gravity, 0, 0}, 0, -gRadius, [2]string{"0.00 g", "3.00 g forward"}},
		{[3]float64{0, -99 * gravity, 0}, gRadius, 0, [2]string{"99.00 g right", "0.00 g"}},
	} {
		c := testCanvas(t)
		drawCircle(c, 200, 200, &frame.Frame{Acc: tt.acc})
		left, right, top, bottom := float32(9999), float32(0), float32(9999), float32(0)
		for _, v := range c.vertices {
			if v.rgba == textColor && v.x < 200+gRadius+10 {
				left, right, top, bottom = min(left, v.x), max(right, v.x), min(top, v.y), max(bottom, v.y)
			}
		}
		dx, dy := (left+right)/2-200, (top+bottom)/2-200
		if math.Abs(float64(dx-tt.dx)) > 0.1 || math.Abs(float64(dy-tt.dy)) > 0.1 || !c.says(tt.says[0]) || !c.says(tt.says[1]) {
			t.Errorf("%v: dot at %g, %g; it says %q", tt.acc, dx, dy, c.audit.words)
		}
	}
}

// Slip has the color of its distance to the limit of grip; each wheel is at its place.
func TestTires(t *testing.T) {
	for slip, want := range map[float64]rgba{0.3: okColor, -0.3: okColor, 0.95: warnColor, -1.3: alarmColor, 1.3: alarmColor} {
		if got := slipColor(slip); got != want {
			t.Errorf("slip %g: %v", slip, got)
		}
	}
	c, f := testCanvas(t), &frame.Frame{}
	f.Wheels[0] = frame.Wheel{Load: 4000, TireTemperature: 81, NormalizedSlip: 0.5}
	f.Wheels[3] = frame.Wheel{Load: 2000, TireTemperature: math.NaN(), NormalizedSlip: 1.3}
	drawTires(c, place{0, 0, 500, 500}, f)
	for _, word := range []string{"81 °C", "4.0 kN", "50 %", "2.0 kN", "130 %"} {
		if !c.says(word) {
			t.Errorf("%q is missing in %q", word, c.audit.words)
		}
	}
	if left, top, _, _, _ := c.extent(alarmColor); left < tiresWidth/2 || top < 38+tireHeight {
		t.Errorf("the rear right wheel's slip is at %g, %g", left, top)
	}
	if c.says("NaN °C") || c.says("unknown") {
		t.Errorf("a temperature that is not known: %q", c.audit.words)
	}
}
