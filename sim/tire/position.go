package tire

// FL, FR, RL and RR are the positions of wheels and tires on a car: front left, front right, rear left, rear
// right. All arrays of wheels have this order, so that i/2 is the axle.
const (
	FL = iota
	FR
	RL
	RR
)
