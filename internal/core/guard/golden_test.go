//go:build amd64 && !amd64.v3

package guard

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"testing"
)

// Other targets fuse a multiply and an add, which changes the last bits.

// goldenGuards holds the hashes of all outputs of guards in 60 s of random inputs, for each of worldConfigs with the
// seeds 1 to 3.
var goldenGuards = [][3]uint64{
	{0xc3a6cd3c8cc280f9, 0x4cca31904c6c8c2a, 0x823de70f2fff91ad},
	{0xe5761ea06532ba9e, 0x99c31ef22ab9f0b9, 0x9aa5c98e505781a9},
	{0x038e299021818056, 0x3d748aebb3056c6e, 0x17aab8921ac133c9},
}

func TestGoldenGuard(t *testing.T) {
	states, causesMet := map[State]bool{}, map[Cause]bool{}
	var got [][3]uint64
	for _, cfg := range worldConfigs {
		var hashes [3]uint64
		for i := range hashes {
			w, g := newWorld(uint64(i+1)), New(cfg, dt)
			sum, bits := fnv.New64a(), []byte(nil)
			for range 60_000 {
				w.tick()
				a := w.ask(g)
				states[a.State], causesMet[a.Last.Cause], causesMet[a.Waits] = true, true, true
				bits = a.appendTo(bits[:0])
				sum.Write(bits)
			}
			hashes[i] = sum.Sum64()
		}
		got = append(got, hashes)
	}
	for i, hashes := range got {
		if hashes != goldenGuards[i] {
			t.Errorf("config %d: hashes\n\t{%#016x, %#016x, %#016x},\nwant others: the guard decides otherwise than it did; if that is meant, write them into goldenGuards", i, hashes[0], hashes[1], hashes[2])
		}
	}
	for i := range stateNames {
		if !states[State(i)] {
			t.Errorf("the random world never leads to %s", State(i))
		}
	}
	for i := range causeNames[:BadGuard] { // a world does not spoil the guard itself, as TestASpoiledGuardPassesNothing does
		if !causesMet[Cause(i)] {
			t.Errorf("the random world never has the cause %q", Cause(i))
		}
	}
}

// appendTo appends the bits of all answers to a hash's input.
func (a *answers) appendTo(bits []byte) []byte {
	bits = append(bits, byte(a.State), byte(a.Waits), byte(a.Last.From), byte(a.Last.To), byte(a.Last.Cause))
	for _, v := range [...]bool{a.Changed, a.Cleared, a.Allowed, a.Alone} {
		bits = append(bits, 0)
		if v {
			bits[len(bits)-1] = 1
		}
	}
	for _, v := range append(a.Legs[:], a.Torque, a.Own, a.Most, a.Held, a.Motion) {
		bits = binary.LittleEndian.AppendUint64(bits, math.Float64bits(v))
	}
	return bits
}
