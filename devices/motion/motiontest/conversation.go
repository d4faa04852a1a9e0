// Package motiontest helps to test the protocols of motion controllers: a Conversation runs a
// codec against its simulated controller, Decode returns a codec's answers for bytes, and Line is
// a serial line in memory. Only tests import it.
package motiontest

import (
	"math"
	"strings"
	"testing"
	"time"

	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/wire"
)

// Conversation runs a codec against a simulated controller without a line between them, in
// steps of a millisecond.
type Conversation struct {
	Codec   wire.Codec
	Sim     simulated.Controller
	Answers map[wire.AnswerKind]int // number of answers of each kind
	Fault   wire.Faults             // of the last status
	Texts   []string                // of all answers, in order
}

// NewConversation returns a conversation in which nothing was sent yet.
func NewConversation(c wire.Codec, sim simulated.Controller) *Conversation {
	return &Conversation{Codec: c, Sim: sim, Answers: map[wire.AnswerKind]int{}}
}

// SendStart sends the codec's start commands.
func (v *Conversation) SendStart() {
	for _, p := range v.Codec.Start() {
		v.Receive(v.Sim.Handle(p.Bytes))
		v.Receive(v.Sim.Advance(p.Wait))
	}
}

// Receive feeds bytes from the controller to the codec, and counts the answers that they contain.
func (v *Conversation) Receive(in []byte) {
	for _, a := range Decode(v.Codec, in) {
		v.Answers[a.Kind]++
		if a.Kind == wire.AnswerStatus {
			v.Fault = a.Fault
		}
		if a.Text != "" {
			v.Texts = append(v.Texts, a.Text)
		}
	}
}

// Run sends the target l every millisecond, ms times, with a query every fourth time.
func (v *Conversation) Run(ms int, l wire.Legs) {
	var buf []byte
	for i := range ms {
		buf = v.Codec.AppendTarget(buf[:0], &l)
		if i%4 == 0 {
			buf = v.Codec.AppendQuery(buf)
		}
		v.Receive(v.Sim.Handle(buf))
		v.Receive(v.Sim.Advance(time.Millisecond))
	}
}

// Wait lets time pass without sending anything.
func (v *Conversation) Wait(d time.Duration) { v.Receive(v.Sim.Advance(d)) }

// Decode returns a codec's answers for received bytes.
func Decode(c wire.Codec, in []byte) (all []wire.Answer) {
	for _, b := range in {
		if a, ok := c.Feed(b); ok {
			all = append(all, a)
		}
	}
	return all
}

// JoinCommands returns the bytes of commands, joined by spaces.
func JoinCommands(all []wire.Command) string {
	var words []string
	for _, p := range all {
		words = append(words, string(p.Bytes))
	}
	return strings.Join(words, " ")
}

// CheckAnswers feeds a codec and fails the test on answers that are out of range.
func CheckAnswers(t *testing.T, c wire.Codec, in []byte) {
	t.Helper()
	for _, a := range Decode(c, in) {
		if a.Axis < -1 || a.Axis >= c.Axes() || a.Kind > wire.AnswerPositions {
			t.Fatalf("% x gives %+v", in, a)
		}
		if a.Kind == wire.AnswerPosition && !(a.Axis >= 0 && a.Position >= 0 && a.Position <= 1) {
			t.Fatalf("% x gives %+v", in, a)
		}
	}
	if c.Noise() > uint64(len(in)) {
		t.Fatalf("%d bytes of noise in %d", c.Noise(), len(in))
	}
}

// CheckPositions fails the test if a simulated controller has an actuator outside of its stroke.
func CheckPositions(t *testing.T, sim simulated.Controller) {
	t.Helper()
	for _, at := range sim.Positions() {
		if !(at >= 0 && at <= 1) {
			t.Fatalf("at %g", sim.Positions())
		}
	}
}

// Near reports whether actuators are at want, within 2 % of their stroke.
func Near(at []float64, want wire.Legs) bool {
	for i, v := range at {
		if math.Abs(v-want[i]) > 0.02 {
			return false
		}
	}
	return true
}
