package chassis

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/near"
)

func TestTheInverseUndoesTheInertia(t *testing.T) {
	for _, tt := range []struct {
		name string
		p    Params
	}{{"alike on both sides", coupe().Params}, {"skewed", skewed()}, {"of parts", loaded().Resolved()}} {
		t.Run(tt.name, func(t *testing.T) {
			in := newTensor(tt.p)
			for _, w := range []r3.Vec{{X: 1}, {Y: 1}, {Z: 1}, {X: 0.3, Y: -2, Z: 5}} {
				near.Value(t, "difference", r3.Norm(r3.Sub(in.accel(in.momentum(w)), w)), 0, 1e-12)
			}
		})
	}
}

func TestASkewTensorOfASymmetricCarIsTheSame(t *testing.T) {
	plain, general := newTensor(coupe().Params), newFullTensor(coupe().Params)
	v := r3.Vec{X: 0.3, Y: -2, Z: 5}
	near.Value(t, "momentum", r3.Norm(r3.Sub(plain.momentum(v), general.momentum(v))), 0, 1e-9)
	near.Value(t, "acceleration", r3.Norm(r3.Sub(plain.accel(v), general.accel(v))), 0, 1e-15)
}

// spinFreely turns a body on which nothing acts, by Runge and Kutta's fourth
// order, and returns its angular momentum in the world before and after.
func spinFreely(in tensor, w r3.Vec, seconds, dt float64) (before, after r3.Vec) {
	rate := func(w r3.Vec) r3.Vec { return in.accel(r3.Scale(-1, r3.Cross(w, in.momentum(w)))) }
	turning := func(q quat.Number, w r3.Vec) quat.Number {
		return quat.Scale(0.5, quat.Mul(q, quat.Number{Imag: w.X, Jmag: w.Y, Kmag: w.Z}))
	}
	on := func(q quat.Number, k quat.Number, h float64) quat.Number { return quat.Add(q, quat.Scale(h, k)) }
	q := quat.Number{Real: 1}
	before = in.momentum(w)
	for range int(math.Round(seconds / dt)) {
		a1, k1 := rate(w), turning(q, w)
		w2 := r3.Add(w, r3.Scale(dt/2, a1))
		a2, k2 := rate(w2), turning(on(q, k1, dt/2), w2)
		w3 := r3.Add(w, r3.Scale(dt/2, a2))
		a3, k3 := rate(w3), turning(on(q, k2, dt/2), w3)
		w4 := r3.Add(w, r3.Scale(dt, a3))
		a4, k4 := rate(w4), turning(on(q, k3, dt), w4)
		w = r3.Add(w, r3.Scale(dt/6, r3.Add(r3.Add(a1, a4), r3.Scale(2, r3.Add(a2, a3)))))
		q = Unit(on(q, quat.Add(quat.Add(k1, k4), quat.Scale(2, quat.Add(k2, k3))), dt/6))
	}
	end := AxesOf(q)
	return before, end.ToWorld(in.momentum(w))
}

func TestAFreeBodyKeepsItsAngularMomentum(t *testing.T) {
	for _, p := range []Params{coupe().Params, skewed(), loaded().Resolved()} {
		before, after := spinFreely(newTensor(p), r3.Vec{X: 2, Y: -1, Z: 1.5}, 10, 1e-3)
		near.Value(t, "change of angular momentum", r3.Norm(r3.Sub(after, before))/r3.Norm(before), 0, 1e-9)
	}
}
