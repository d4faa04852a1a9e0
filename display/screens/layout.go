package screens

import "math"

// Part is a part of a window: shares of its width from the left and of its height from below.
type Part struct{ Left, Bottom, Right, Top float64 }

// Share returns shares of a part's width and height for those of its window.
func (p Part) Share(x, y float64) (px, py float64) {
	return (x - p.Left) / (p.Right - p.Left), (y - p.Bottom) / (p.Top - p.Bottom)
}

// Whole is all of a window.
var Whole = Part{0, 0, 1, 1}

// Beside returns the parts of one wide window that screens get, side by side from the left to the right.
func Beside(list []Screen) []Part {
	wide, high := 0.0, 0.0
	for i := range list {
		w, h := list[i].size()
		wide, high = wide+w, math.Max(high, h)
	}
	parts, left := make([]Part, len(list)), 0.0
	for i := range list {
		w, h := list[i].size()
		parts[i] = Part{left / wide, 0.5 - h/high/2, (left + w) / wide, 0.5 + h/high/2}
		left += w
	}
	return parts
}

// size returns the size of a screen's picture: in pixels, if they are given, else in tenths of a millimeter.
func (s *Screen) size() (wide, high float64) {
	if s.Pixels[0] > 0 && s.Pixels[1] > 0 {
		return float64(s.Pixels[0]), float64(s.Pixels[1])
	}
	return 1e4 * s.Width, 1e4 * s.Height
}

// Between returns the part of a part that lies between two shares of its width.
func (p Part) Between(from, to float64) Part {
	wide := p.Right - p.Left
	return Part{p.Left + from*wide, p.Bottom, p.Left + to*wide, p.Top}
}

// Pixels returns the place and size of a part in a window [pixels]. Neighbors meet without a gap.
func (p Part) Pixels(width, height int) (x, y, w, h int) {
	at := func(share float64, size int) int { return int(math.Round(share * float64(size))) }
	x, y = at(p.Left, width), at(p.Bottom, height)
	return x, y, at(p.Right, width) - x, at(p.Top, height) - y
}

// Middle returns the index of the screen that stands straightest ahead, where the instruments are shown.
func Middle(list []Screen) (index int) {
	for i := range list {
		if math.Abs(list[i].Angle) < math.Abs(list[index].Angle) {
			index = i
		}
	}
	return index
}
