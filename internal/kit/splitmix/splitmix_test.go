package splitmix

import "testing"

// The outputs for seed 1234567 are those of the authors' C code as published in the
// Rosetta Code task "Pseudo-random numbers/Splitmix64".
func TestMixIsSplitMix64(t *testing.T) {
	const gamma = 0x9e3779b97f4a7c15 // the generator's state grows by it in each step
	state := uint64(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		if got := Mix(state); got != want {
			t.Errorf("number %d is %d, want %d", i, got, want)
		}
		state += gamma
	}
}
