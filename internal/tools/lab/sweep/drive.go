package sweep

import (
	"context"
	"sync"
)

// Drive drives units with a number of goroutines and calls done with each result, in the order in which they end, never
// two at a time and never after an error of done. It returns that error, or that of ctx once no goroutine drives any more.
func Drive(ctx context.Context, p *Plan, units []int, workers int, done func(Result) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	next := make(chan int)
	var all sync.WaitGroup
	var one sync.Mutex
	var fault error // of done
	for range workers {
		all.Go(func() {
			for i := range next {
				u := p.Unit(i)
				r, err := u.Drive(ctx)
				if err != nil {
					return
				}
				one.Lock()
				if fault == nil {
					fault = done(r)
				}
				if fault != nil {
					cancel()
				}
				one.Unlock()
			}
		})
	}
	for _, i := range units {
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	all.Wait()
	if fault != nil {
		return fault
	}
	return ctx.Err()
}
