package cueing

// Share is what can be lowered during a drive, and raised again as far as it is configured: a limit of
// every degree of freedom, or how quickly the pose follows.
type Share int

// The shares.
const (
	FilterShare Share = iota // 1 is no filter; below, the wanted pose passes a low-pass before the limits
	TravelShare              // of the largest positions
	SpeedShare               // of the highest speeds
	AccelShare               // of the highest accelerations
	ShareCount
)

// MinLimitShare is the lowest share of a limit: below, a platform would hardly move.
const MinLimitShare = 0.2

const (
	shareRate     = 0.5  // change of a share in a second [1/s]
	maxFilterTime = 0.15 // time constant of each of the low-pass's two stages at a FilterShare of 0 [s]
)

// Lowest returns the lowest value of a share.
func (i Share) Lowest() float64 {
	if i == FilterShare {
		return 0
	}
	return MinLimitShare
}

// shares has a value from Lowest to 1 for each share, 1 as configured.
type shares [ShareCount]float64

type sharesState struct{ current, target shares }

func unitShares() sharesState { return sharesState{shares{1, 1, 1, 1}, shares{1, 1, 1, 1}} }

// next moves every share at most maxStep towards its target.
func (s *sharesState) next(maxStep float64) {
	for i, v := range s.current {
		s.current[i] = v + clamp(s.target[i]-v, maxStep)
	}
}

// Lower sets the target of a share, which is followed at a limited rate. It is limited to Lowest..1;
// NaN counts as 1. Nothing can raise a limit above its configured value.
func (s *State) Lower(i Share, to float64) {
	if to != to {
		to = 1
	}
	s.shares.target[i] = min(max(to, i.Lowest()), 1)
}

// Share returns the present value of a share.
func (s *State) Share(i Share) float64 { return s.shares.current[i] }
