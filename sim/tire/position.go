package tire

// Places of wheels and tires on a car: front left, front right, rear left, rear right. They are counted in
// this order everywhere, so that i/2 is the axle.
const (
	FL = iota
	FR
	RL
	RR
)
