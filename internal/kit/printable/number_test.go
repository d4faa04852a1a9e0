package printable

import "testing"

func TestNumbers(t *testing.T) {
	for got, want := range map[string]string{
		Plain(1e21): "1000000000000000000000", Plain(-0.25): "-0.25", Minus("-0.25"): "−0.25", Minus("3-4"): "3-4", Minus(""): "",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
