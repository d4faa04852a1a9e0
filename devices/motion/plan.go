package motion

// Plan is what a configuration comes to on its line, before any line is open.
type Plan struct {
	Axes  int     // actuators that the controller can name
	Rate  float64 // demands a second
	Share float64 // of the line that demands and questions keep busy, 0..1
	Blind bool    // the controller cannot tell where its actuators stand
	Start Legs    // where they are taken to stand at first if it is blind, share of the stroke
}

// Plan returns what c comes to, or why it cannot be.
func (c Config) Plan() (Plan, error) {
	if err := c.Validate(); err != nil {
		return Plan{}, err
	}
	spoken, err := newCodec(c)
	if err != nil {
		return Plan{}, err
	}
	line := newBudget(spoken, c.Baud)
	rate, err := line.rate(c.Rate)
	return Plan{spoken.axes(), rate, line.share(rate), !spoken.locates(), c.taken()}, err
}
