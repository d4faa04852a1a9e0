package replug

import (
	"errors"
	"testing"
)

// toy is a device that counts the calls of its methods.
type toy struct{ out int }

func (d *toy) Node() (string, error) { return "/dev/input/event7", nil }
func (d *toy) Unplug()               { d.out++ }

func TestEveryDeviceButTheLastIsUnplugged(t *testing.T) {
	made := []*toy{{}}
	last, rounds, err := Repeat(3, made[0], 0, 0, func() (*toy, error) {
		made = append(made, &toy{})
		return made[len(made)-1], nil
	}, nil)
	if err != nil || len(made) != 4 || len(rounds) != 3 || last != made[3] {
		t.Fatalf("%d devices in %d rounds, %v; want 4 in 3", len(made), len(rounds), err)
	}
	for i, d := range made {
		if want := min(1, 3-i); d.out != want {
			t.Errorf("device %d was unplugged %d times, want %d", i, d.out, want)
		}
	}
}

func TestAnErrorEndsTheRounds(t *testing.T) {
	trouble := errors.New("trouble")
	plug := func() (*toy, error) { return &toy{}, nil }
	_, rounds, err := Repeat(3, &toy{}, 0, 0, plug, func(r Round) error {
		if r.Number == 1 {
			return trouble
		}
		return nil
	})
	if !errors.Is(err, trouble) || len(rounds) != 2 {
		t.Errorf("%d rounds, %v; want 2 and the error", len(rounds), err)
	}
}
