package main

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestShowTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var shares []float64
		end := showTime(func(share float64) { shares = append(shares, share) }, 2*time.Second)
		time.Sleep(1100 * time.Millisecond)
		end()
		time.Sleep(time.Second)
		if want := []float64{0.125, 0.25, 0.375, 0.5}; !slices.Equal(shares, want) {
			t.Errorf("showed %v, want %v", shares, want)
		}
	})
}
