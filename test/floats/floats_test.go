package floats

import (
	"fmt"
	"testing"
)

type inner struct {
	Speed float64
	On    bool
}

func TestFloatsOfAValue(t *testing.T) {
	v := struct {
		inner
		Wheels [2]inner
		load   float64
		tick   uint64
		name   string
		line   *float64
		all    []float64
	}{}
	fields, unseen := In(&v)
	for i := range fields {
		*fields[i].At = float64(i + 1)
	}
	paths := []string{}
	for _, f := range fields {
		paths = append(paths, f.Path)
	}
	if got := fmt.Sprint(paths, unseen); got != "[Speed Wheels[0].Speed Wheels[1].Speed load] [line all]" {
		t.Error(got)
	}
	if v.Speed != 1 || v.Wheels[0].Speed != 2 || v.Wheels[1].Speed != 3 || v.load != 4 {
		t.Errorf("set to %+v", v)
	}
}
