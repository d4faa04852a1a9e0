package road

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func TestOrigin(t *testing.T) {
	inf := math.Inf(1)
	for _, tt := range []struct {
		name            string
		low, high, want r3.Vec
		fault           string
	}{
		{"at zero", r3.Vec{}, r3.Vec{X: 300, Y: 10, Z: 5}, r3.Vec{}, ""},
		{"a kilometre away", r3.Vec{X: -3000, Y: 1000}, r3.Vec{X: -1000, Y: 9000, Z: 3000}, r3.Vec{}, ""},
		{"begins 10 km away", r3.Vec{X: 10e3, Y: -90e3}, r3.Vec{X: 90e3, Y: -10e3}, r3.Vec{}, ""},
		{"begins further", r3.Vec{X: 10.1e3, Y: -90e3}, r3.Vec{X: 90e3, Y: -10.1e3}, r3.Vec{X: 50e3, Y: -50e3}, ""},
		{"from zero to 900 km", r3.Vec{}, r3.Vec{X: 900e3, Y: 10}, r3.Vec{}, ""},
		{"too far at its end", r3.Vec{X: 9e3}, r3.Vec{X: 1009e3, Y: 1}, r3.Vec{X: 509e3}, ""},
		{"UTM", r3.Vec{X: 691234, Y: 5334000.5, Z: 500}, r3.Vec{X: 693999, Y: 5338000, Z: 550}, r3.Vec{X: 693e3, Y: 5336e3}, ""},
		{"the Mercator map of the web", r3.Vec{X: -2e7, Y: -2e7}, r3.Vec{X: -2e7 + 5, Y: -2e7 + 5}, r3.Vec{X: -2e7, Y: -2e7}, ""},
		{"high above", r3.Vec{Z: 40e3}, r3.Vec{X: 5, Y: 5, Z: 41e3}, r3.Vec{Z: 41e3}, ""},
		{"no map", r3.Vec{X: 1}, r3.Vec{X: 2e8}, r3.Vec{}, "reproject to metres"},
		{"NaN", r3.Vec{Y: math.NaN()}, r3.Vec{}, r3.Vec{}, "reproject to metres"},
		{"without an end", r3.Vec{}, r3.Vec{Z: inf}, r3.Vec{}, "reproject to metres"},
		{"degrees", r3.Vec{X: 11.55, Y: 48.1}, r3.Vec{X: 11.62, Y: 48.2, Z: 530}, r3.Vec{}, "reproject to metres"},
		{"degrees of Greenwich", r3.Vec{X: -0.01, Y: 51.4}, r3.Vec{X: 0.01, Y: 51.5}, r3.Vec{}, "reproject to metres"},
		{"degrees counted to 360", r3.Vec{X: 289.5, Y: -33.1}, r3.Vec{X: 289.6, Y: -33}, r3.Vec{}, "reproject to metres"},
		{"a small plate", r3.Vec{}, r3.Vec{X: 0.5, Y: 0.5}, r3.Vec{}, ""},
		{"a road in the first metres", r3.Vec{X: 11, Y: 48}, r3.Vec{X: 211, Y: 48.5}, r3.Vec{}, ""},
	} {
		got, err := Origin(tt.low, tt.high)
		if got != tt.want || tt.fault == "" != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.fault) {
			t.Errorf("%s: %v, %v, want %v, %q", tt.name, got, err, tt.want, tt.fault)
		}
	}
}

// What lies as far as the most is moved so near that doubles are good for less than a micrometre.
func TestOriginBringsGroundsNear(t *testing.T) {
	for _, mid := range []float64{3e4, -7.7e5, 5.4e6, 9.99e7} {
		o, err := Origin(r3.Vec{X: mid - 5e3, Y: -mid - 5e3}, r3.Vec{X: mid + 5e3, Y: -mid + 5e3})
		if err != nil || math.Abs(mid-o.X) > 500 || math.Abs(-mid-o.Y) > 500 || math.Mod(o.X, 1000) != 0 {
			t.Errorf("%g: %v, %v", mid, o, err)
		}
	}
}
