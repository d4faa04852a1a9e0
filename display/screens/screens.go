// Package screens computes what the screens before a driver must show, so that the picture has its true size and direction
// from the driver's eye.
//
// In: sizes and places of the screens, and where the eye is. Out: flat facets, for each of them the part of the picture that
// it fills and the lens through which the world is drawn. It draws nothing and opens no window.
//
// Places are from the eye at rest [m]: x ahead, y to the left, z up.
package screens

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
)

// Presets of Config.Preset.
const (
	Single    = "single"           // one flat screen straight ahead
	Triple    = "triple"           // three alike, the outer ones turned towards the eye
	Ultrawide = "ultrawide-curved" // one that is bent along a circle
)

// Config describes screens that are all alike, by a preset.
type Config struct {
	// what stands before the driver; empty: one picture with `display.fov_deg`, whatever shows it, unless there are `[[display.screen]]`
	Preset string `toml:"preset" oneof:",single,triple,ultrawide-curved"`
	// visible width of a screen, along the bend of a curved one
	Width float64 `toml:"width_m" range:"0.1..10"`
	// visible height of a screen
	Height float64 `toml:"height_m" range:"0.05..5"`
	// from the eye to the middle of the screen straight ahead
	Distance float64 `toml:"distance_m" range:"0.1..10"`
	// how far the middle of the screens is above the eye; below it is negative
	Up float64 `toml:"up_m" range:"-2..2"`
	// triple: frame beside the visible part of each screen
	Bezel float64 `toml:"bezel_m" range:"0..0.2"`
	// triple: angle between two neighbors; 0: that at which all are equally far from the eye
	Angle float64 `toml:"angle_deg" range:"0 (all equally far) or 1..90"`
	// ultrawide-curved: radius of the bend, such as 1.8 for 1800R
	Radius float64 `toml:"radius_m" range:"0.3..20"`
}

// DefaultConfig returns no preset, and the sizes of common screens: 27 inches, 16:9, 0.7 m away.
func DefaultConfig() Config {
	return Config{Width: 0.598, Height: 0.336, Distance: 0.7, Bezel: 0.008, Radius: 1.8}
}

// Validate reports every key that is out of range or does not fit the others.
func (c Config) Validate() error {
	err := valid.Struct(c)
	if c.Preset == Ultrawide && c.Width > math.Pi*c.Radius {
		err = errors.Join(err, fmt.Errorf("radius_m = %g: a screen of %g m would reach around the driver; give its radius", c.Radius, c.Width))
	}
	return err
}

// Screen is a screen by itself, as a table [[display.screen]].
type Screen struct {
	Name    string  `toml:"name"`                                                         // for people, such as left
	Monitor string  `toml:"monitor"`                                                      // monitor that shows it, as `rig screens --list` names it; empty: that at its place in the list
	Width   float64 `toml:"width_m" range:"0.1..10"`                                      // visible width, along the bend of a curved screen
	Height  float64 `toml:"height_m" range:"0.05..5"`                                     // visible height
	Pixels  [2]int  `toml:"resolution_px" range:"0 (as wide as its share) or 100..16384"` // width and height of its picture
	// from the eye to the plane of the screen, at right angles; of a curved one that in its middle
	Distance float64 `toml:"distance_m" range:"0.1..10"`
	// direction in which the screen stands: 0 straight ahead, positive to the left
	Angle  float64 `toml:"angle_deg" range:"-150..150"`
	Left   float64 `toml:"left_m" range:"-10..10"`               // how far its middle is to the left of the point straight before the eye, along the screen
	Up     float64 `toml:"up_m" range:"-2..2"`                   // how far its middle is above the eye
	Radius float64 `toml:"radius_m" range:"0 (flat) or 0.3..20"` // radius of its bend
}

// Screens returns the screens of the preset, from the left to the right; none without one.
func (c Config) Screens() []Screen {
	middle := Screen{Name: "middle", Width: c.Width, Height: c.Height, Distance: c.Distance, Up: c.Up}
	switch c.Preset {
	case Single:
		return []Screen{middle}
	case Ultrawide:
		middle.Radius = c.Radius
		return []Screen{middle}
	case Triple:
		left, right := middle, middle
		angle := c.TripleAngle()
		s, k := math.Sincos(angle)
		// The hinge is at the outer edge of the middle screen's frame; the visible part of the outer one begins after its own frame.
		hinge, along := c.Width/2+c.Bezel, c.Bezel+c.Width/2
		left.Name, right.Name = "left", "right"
		left.Distance = c.Distance*k + hinge*s
		left.Left = hinge*k - c.Distance*s + along
		left.Angle = angle * 180 / math.Pi
		right.Distance, right.Left, right.Angle = left.Distance, -left.Left, -left.Angle
		return []Screen{left, middle, right}
	}
	return nil
}

// TripleAngle returns the angle between two neighbors of a triple [rad]: the configured one, or that at which all are equally
// far from the eye.
func (c Config) TripleAngle() float64 {
	if c.Angle != 0 {
		return c.Angle * math.Pi / 180
	}
	return 2 * math.Atan2(c.Width/2+c.Bezel, c.Distance)
}

// FOV returns the angles that a screen fills from the eye at rest [rad], across and upright through its middle.
func (s *Screen) FOV() (across, upright float64) {
	facets := s.facets(0)
	first, last := &facets[0], &facets[len(facets)-1]
	middle := s.facetsOf(1)[0]
	high := add(middle.LowLeft, scale(0.5, middle.across()))
	low := high
	high = add(high, middle.upright())
	return angleBetween(add(first.LowLeft, scale(0.5, first.upright())), add(add(last.LowLeft, last.across()), scale(0.5, last.upright()))), angleBetween(low, high)
}
