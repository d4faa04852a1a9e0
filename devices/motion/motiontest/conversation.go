// Package motiontest helps to test the protocols of motion controllers: a Conversation of a
// codec with its simulated controller, what a codec makes of bytes, and a serial Line in
// memory. Only tests import it.
package motiontest

import (
	"math"
	"strings"
	"testing"
	"time"

	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/wire"
)

// Conversation is a codec and a simulated controller without a line between
// them, a millisecond a step.
type Conversation struct {
	Codec wire.Codec
	Sim   simulated.Controller
	Heard map[wire.AnswerKind]int // answers of each kind
	Fault wire.Faults             // told last
	Texts []string                // told, in turn
}

// Converse returns a conversation in which nothing was said yet.
func Converse(c wire.Codec, sim simulated.Controller) *Conversation {
	return &Conversation{Codec: c, Sim: sim, Heard: map[wire.AnswerKind]int{}}
}

// Begin says what is said at the start.
func (v *Conversation) Begin() {
	for _, p := range v.Codec.Start() {
		v.Hear(v.Sim.Handle(p.Bytes))
		v.Hear(v.Sim.Advance(p.Wait))
	}
}

// Hear has the codec take what the controller said.
func (v *Conversation) Hear(in []byte) {
	for _, a := range Answers(v.Codec, in) {
		v.Heard[a.Kind]++
		if a.Kind == wire.AnswerStatus {
			v.Fault = a.Fault
		}
		if a.Text != "" {
			v.Texts = append(v.Texts, a.Text)
		}
	}
}

// Run demands l for so many milliseconds, with a question every fourth.
func (v *Conversation) Run(ms int, l wire.Legs) {
	var buf []byte
	for i := range ms {
		buf = v.Codec.AppendDemand(buf[:0], &l)
		if i%4 == 0 {
			buf = v.Codec.AppendQuestion(buf)
		}
		v.Hear(v.Sim.Handle(buf))
		v.Hear(v.Sim.Advance(time.Millisecond))
	}
}

// Wait lets time pass without a word.
func (v *Conversation) Wait(d time.Duration) { v.Hear(v.Sim.Advance(d)) }

// Answers returns what a codec makes of bytes.
func Answers(c wire.Codec, in []byte) (all []wire.Answer) {
	for _, b := range in {
		if a, ok := c.Feed(b); ok {
			all = append(all, a)
		}
	}
	return all
}

// Words returns the bytes of phrases, joined by spaces.
func Words(all []wire.Phrase) string {
	var words []string
	for _, p := range all {
		words = append(words, string(p.Bytes))
	}
	return strings.Join(words, " ")
}

// CheckAnswers feeds a codec and fails on answers that no session could use.
func CheckAnswers(t *testing.T, c wire.Codec, in []byte) {
	t.Helper()
	for _, a := range Answers(c, in) {
		if a.Axis < -1 || a.Axis >= c.Axes() || a.Kind > wire.AnswerText {
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

// CheckPositions fails where a simulated controller has an actuator beyond its stroke.
func CheckPositions(t *testing.T, sim simulated.Controller) {
	t.Helper()
	for _, at := range sim.Positions() {
		if !(at >= 0 && at <= 1) {
			t.Fatalf("at %g", sim.Positions())
		}
	}
}

// Near reports whether actuators stand where they are wanted, within 2 % of their stroke.
func Near(at []float64, want wire.Legs) bool {
	for i, v := range at {
		if math.Abs(v-want[i]) > 0.02 {
			return false
		}
	}
	return true
}
