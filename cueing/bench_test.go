package cueing

import "testing"

// bend is what a car in a quick, rough bend gives at a tick.
func bend(tick int) Inputs {
	wave := float64(tick%400)/200 - 1
	return Inputs{
		Force: [3]float64{2 * wave, 8 + wave, gravity + 3*wave}, Rate: [3]float64{0.1 * wave, 0.05, 0.4},
		Roll: 0.03, Pitch: 0.01 * wave, Travel: [4]float64{0.1, 0.1 + 0.01*wave, 0.1, 0.11},
		RearSlip: -0.1, Speed: 30, Gear: 3,
	}
}

// BenchmarkCue is a tick of the whole way from what the head feels to six legs.
func BenchmarkCue(b *testing.B) {
	for _, tt := range []struct {
		name, mode, kind string
		stroke           float64 // [m]; small ones are at their ends all the time
	}{
		{"direct", Direct, kindHexapod, 0.15},
		{"washout", Washout, kindHexapod, 0.15},
		{"adaptive", Adaptive, kindHexapod, 0.15},
		{"washout on cranks", Washout, kindRotary, 0.15},
		{"washout at the edge", Washout, kindHexapod, 0.02},
	} {
		b.Run(tt.name, func(b *testing.B) {
			cfg, g := DefaultConfig(), DefaultGeometry()
			cfg.Mode, g.Kind, g.Stroke = tt.mode, tt.kind, tt.stroke
			c, p := made(b, cfg).cue, platform(b, g).Platform
			s := c.Start()
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				in := bend(i)
				legs, scale = p.Legs(c.Next(&s, &in))
			}
		})
	}
}

var (
	legs  Legs
	scale float64
)
