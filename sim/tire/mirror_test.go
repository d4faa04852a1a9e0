package tire

import "testing"

func TestATireOnTheOtherSideIsItsMirrorImage(t *testing.T) {
	tr := parsed(t, "mf61") // has conicity and plysteer, TYRESIDE right
	if tr.Side != Right {
		t.Fatalf("side %v", tr.Side)
	}
	c := Contact{Kappa: 0.03, TanAlpha: 0.05, Gamma: 0.02, Load: 5000, Surface: Dry()}
	back := c
	back.TanAlpha, back.Gamma = -c.TanAlpha, -c.Gamma
	right, left := tr.ModelFor(Right).Forces(c), tr.ModelFor(Left).Forces(back)
	want := Forces{Fx: right.Fx, Fy: -right.Fy, Mx: -right.Mx, My: right.My, Mz: -right.Mz}
	if left != want {
		t.Errorf("left %+v, want %+v", left, want)
	}
	if straight := tr.ModelFor(Left).Forces(Contact{Load: 5000, Surface: Dry()}); straight.Fy == 0 {
		t.Error("the file's tire pulls to no side")
	}
	even, err := Builtin("brush")
	if err != nil {
		t.Fatal(err)
	}
	if even.ModelFor(Left) != even.Model || even.ModelFor(Right) != even.Model {
		t.Error("a brush has a side")
	}
}
