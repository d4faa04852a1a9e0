package motion

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestFaultsAreNamed(t *testing.T) {
	tests := []struct {
		faults Faults
		want   string
	}{
		{0, "none"},
		{FaultHot, "too hot"},
		{FaultDrive | FaultStop, "drive fault, emergency stop"},
		{FaultSilent, "controller not reached"},
	}
	for _, tt := range tests {
		if got := tt.faults.String(); got != tt.want {
			t.Errorf("%b is %q, want %q", tt.faults, got, tt.want)
		}
	}
}

func TestUnknownProtocolsAreRefused(t *testing.T) {
	if _, err := newCodec(Config{Protocol: "smc4"}); err == nil || !strings.Contains(err.Error(), `"smc4"`) {
		t.Errorf("got %v", err)
	}
}

// What a controller tells of an axis that nobody has is not kept, and no number
// is no position.
func TestHearingKeepsWhatItCanUse(t *testing.T) {
	b := newBoard()
	nan := math.NaN()
	for _, a := range []answer{
		{kind: answerPosition, axis: Axes, position: 0.3, temperature: 20},
		{kind: answerPosition, axis: -2, position: 0.3, temperature: nan},
		{kind: answerPosition, axis: -1, position: 0.3, temperature: nan},
		{kind: answerPosition, axis: 1, position: nan, temperature: nan},
		{kind: answerPosition, axis: 2, position: 0.4, temperature: nan},
		{kind: answerText, axis: -1, temperature: 35},
		{kind: answerStatus, axis: -1, fault: FaultHot, temperature: nan},
		{kind: answerStatus, axis: 0, fault: FaultSpike, temperature: 60},
	} {
		b.hear(a, time.Second)
	}
	s := b.snapshot()
	if !math.IsNaN(s.Feedback[0]) || !math.IsNaN(s.Feedback[1]) || s.Feedback[2] != 0.4 || s.Answers != 8 {
		t.Errorf("positions %v after %d answers", s.Feedback, s.Answers)
	}
	if s.Temperature[0] != 60 || s.Temperature[7] != 35 {
		t.Errorf("temperatures %v", s.Temperature)
	}
	if got := b.told(); got != FaultHot|FaultSpike {
		t.Errorf("tells %s", got)
	}
	b.hear(answer{kind: answerStatus, axis: -1, temperature: nan}, time.Second)
	b.hear(answer{kind: answerFault, axis: 3, fault: FaultDrive, temperature: nan}, time.Second)
	if got := b.told(); got != FaultDrive|FaultSpike {
		t.Errorf("then tells %s", got)
	}
}
