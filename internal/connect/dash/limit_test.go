package dash

import (
	"net/netip"
	"testing"
	"time"
)

// Many addresses with wrong tokens fill no memory.
func TestGuessesForget(t *testing.T) {
	var g guesses
	now := time.Unix(1e9, 0)
	address := func(i int) netip.Addr { return netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}) }
	for i := range 3 * maxAddresses {
		g.add(address(i), now)
	}
	if len(g.byAddress) != maxAddresses {
		t.Errorf("%d addresses are remembered", len(g.byAddress))
	}
	now = now.Add(guessPeriod)
	g.add(address(1<<15), now)
	if len(g.byAddress) != 1 {
		t.Errorf("%d addresses are remembered a minute later", len(g.byAddress))
	}
	for range maxGuesses {
		g.add(address(7), now)
	}
	if !g.blocked(address(7), now) || g.blocked(address(8), now) || g.blocked(address(7), now.Add(guessPeriod)) {
		t.Error("blocked are others than the one with too many")
	}
}
