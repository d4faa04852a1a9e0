package hud

import "rig.example/rig/internal/core/frame"

// Page is what is shown beside the instruments for driving.
type Page int

// The pages, in the order in which one key shows them.
const (
	DrivePage    Page = iota // none: the view is free
	MapPage                  // the circuit, and the g-g circle
	TiresPage                // temperature, load and slip of each tire
	ChartsPage               // the last 10 s of torque and platform
	ForcePage                // the torque, stage by stage
	MotionPage               // the platform and its gains
	PicturesPage             // how evenly pictures come
	pageCount
)

// pageNames holds the name of each page, as the configuration has it.
var pageNames = [pageCount]string{"drive", "map", "tires", "charts", "force", "motion", "pictures"}

// String returns the name of the page.
func (p Page) String() string {
	if p < 0 || p >= pageCount {
		return unknown
	}
	return pageNames[p]
}

// PageNamed returns the page with a name, or DrivePage.
func PageNamed(name string) Page {
	for p, n := range pageNames {
		if n == name {
			return Page(p)
		}
	}
	return DrivePage
}

// Next returns the page after p; after the last comes DrivePage.
func (p Page) Next() Page { return (p + 1) % pageCount }

// Toggled returns other, or DrivePage if that is shown already.
func (p Page) Toggled(other Page) Page {
	if p == other {
		return DrivePage
	}
	return other
}

// drawPage draws a page within room.
func drawPage(c *Canvas, room place, f *frame.Frame, s *Status) {
	switch s.Page {
	case MapPage:
		drawMapPage(c, room, f, s)
	case TiresPage:
		drawTires(c, room, f)
	case ChartsPage:
		drawCharts(c, room, f)
	case ForcePage:
		drawForce(c, room, f, &s.Names)
	case MotionPage:
		drawMotion(c, room, f, &s.Names)
	case PicturesPage:
		drawPictures(c, room, f, s)
	}
}

// heading draws the title of a page.
func heading(c *Canvas, title string) float32 {
	return c.text(smallType, inset, 28, alignLeft, title, dimColor)
}
