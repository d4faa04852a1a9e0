package hud

import (
	"math"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// Sizes of the page of the tires.
const (
	tiresWidth  = 452
	tireHeight  = 122
	tiresHeight = 44 + 2*tireHeight
)

// drawTires draws temperature, load and slip of the four wheels, as they are seen from above.
func drawTires(c *Canvas, room place, f *frame.Frame) {
	defer func(v view) { c.view = v }(c.fit(room, tiresWidth, tiresHeight, c.options.side()))
	c.card(tiresWidth, tiresHeight)
	heading(c, "TIRES")
	c.text(smallType, tiresWidth-inset, 28, alignRight, "slip 100 %: limit of grip", dimColor)
	highest := 1.0
	for i := range f.Wheels {
		highest = max(highest, clampLong(f.Wheels[i].Load))
	}
	for i := range f.Wheels {
		drawTire(c, inset+tiresWidth/2*float32(i%2), 38+tireHeight*float32(i/2), wheelNames[i], &f.Wheels[i], highest)
	}
}

// wheelNames holds the name of each wheel.
var wheelNames = [4]string{"front left", "front right", "rear left", "rear right"}

// drawTire draws one wheel at x, y. The bar of a load is full at the highest of the four [N].
func drawTire(c *Canvas, x, y float32, name string, w *frame.Wheel, highest float64) {
	const barX, barWidth, figuresEnd = 48, 72, tiresWidth/2 - 2*inset + 4
	c.text(smallType, x, y+26, alignLeft, name, dimColor)
	if !math.IsNaN(w.TireTemperature) {
		c.write(smallType, x+figuresEnd, y+26, alignRight, c.figures("%.0f °C", valid.Clamp(w.TireTemperature, -99, 999)), textColor)
	}
	c.text(smallType, x, y+58, alignLeft, "load", dimColor)
	c.bar0(place{x + barX, y + 45, barWidth, 12}, w.Load, highest, accentColor)
	c.write(smallType, x+figuresEnd, y+58, alignRight, c.figures("%.1f kN", valid.Clamp(clampLong(w.Load)/1000, -99, 99)), textColor)
	const mostSlip = 1.5
	c.text(smallType, x, y+90, alignLeft, "slip", dimColor)
	c.bar0(place{x + barX, y + 77, barWidth, 12}, math.Abs(w.NormalizedSlip), mostSlip, slipColor(w.NormalizedSlip))
	limit := x + barX + barWidth/mostSlip
	c.rect(limit-1, y+74, limit+1, y+92, textColor)
	c.write(smallType, x+figuresEnd, y+90, alignRight, c.figures("%.0f %%", min(100*math.Abs(clampForText(w.NormalizedSlip)), 999)), textColor)
}

// slipColor returns the color of a normalized slip: green below the limit of grip, yellow about it, red beyond.
func slipColor(slip float64) rgba {
	const near, beyond = 0.85, 1.15
	switch slip = math.Abs(slip); {
	case slip > beyond:
		return alarmColor
	case slip > near:
		return warnColor
	}
	return okColor
}
