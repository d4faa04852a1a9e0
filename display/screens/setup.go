package screens

// View is what one facet shows: a part of a window, and the lens through which the world is drawn there.
type View struct {
	Part Part
	Lens Lens
}

// Setup is a set of screens, and the windows that show them.
type Setup struct {
	screens []Screen
	facets  []Facet
	parts   []Part // of each facet, in its window
	windows []int  // of each facet
	middle  int    // index of the screen with the instruments

	instruments Part // of window 0
}

// NewSetup returns the setup of screens: in one wide window, or in one for each.
func NewSetup(list []Screen, each bool) *Setup {
	s := &Setup{screens: list, facets: Facets(list), middle: Middle(list)}
	beside := Beside(list)
	for i := range s.facets {
		f := &s.facets[i]
		part, window := beside[f.Screen], 0
		if each {
			part, window = Whole, s.Window(f.Screen)
		}
		s.parts, s.windows = append(s.parts, part.Between(f.From, f.To)), append(s.windows, window)
	}
	if s.instruments = Whole; len(list) > 0 {
		s.instruments = s.Parts(0)[s.middle]
	}
	return s
}

// Window returns the number of the window that shows a screen if each has its own: 0 for the one with the instruments.
func (s *Setup) Window(screen int) int {
	switch {
	case screen == s.middle:
		return 0
	case screen < s.middle:
		return screen + 1
	}
	return screen
}

// Screens returns the screens.
func (s *Setup) Screens() []Screen { return s.screens }

// Views appends the views of a window for a head to list.
func (s *Setup) Views(list []View, window int, h *Head) []View {
	for i := range s.facets {
		if s.windows[i] != window {
			continue
		}
		if lens, ok := s.facets[i].Through(h); ok {
			list = append(list, View{s.parts[i], lens})
		}
	}
	return list
}

// Parts returns the part of a window that each screen has; of a screen in another window it is empty.
func (s *Setup) Parts(window int) []Part {
	parts := make([]Part, len(s.screens))
	for i, f := range s.facets {
		if s.windows[i] != window {
			continue
		}
		p := &parts[f.Screen]
		if *p == (Part{}) {
			*p = s.parts[i]
		}
		p.Right = s.parts[i].Right
	}
	return parts
}

// Instruments returns the part of window 0 that shows the instruments: the screen straight ahead.
func (s *Setup) Instruments() Part { return s.instruments }
