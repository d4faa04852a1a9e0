// Package splitmix turns a 64-bit number, such as a seed plus a counter, into a pseudo-random one, without any
// state: the same argument gives the same number on every machine.
package splitmix

// Mix returns the output of the SplitMix64 generator whose state is x before the step (Steele, Lea and
// Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
