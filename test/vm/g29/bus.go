package g29

import (
	"errors"
	"time"

	"rig.example/rig/test/vm/usbip"
)

// A wheel that is told to change its mode leaves the bus after switchTime and
// is gone for offBus. How long the real ones take is not known here.
const (
	switchTime = 200 * time.Millisecond
	offBus     = 200 * time.Millisecond
)

// plug puts the wheel on the bus.
func (w *Wheel) plug(compat bool) error {
	device := w.facts.device(w.take)
	if compat {
		device = w.facts.compatible(w.take)
	}
	w.mu.Lock()
	defer w.mu.Unlock() // until the port is known, no report is taken
	port, err := usbip.Plug(device)
	if err != nil {
		return err
	}
	w.port, w.native = port, !compat
	return nil
}

// becomeNative leaves the bus and comes back under the model's own number.
func (w *Wheel) becomeNative() {
	w.plugging.Lock()
	defer w.plugging.Unlock()
	time.Sleep(switchTime)
	if w.gone() || w.isNative() {
		return
	}
	w.onBus().Unplug()
	time.Sleep(offBus)
	if err := w.plug(false); err != nil {
		w.mu.Lock()
		w.failed = err
		w.mu.Unlock()
	}
}

// Node waits for the wheel's input node in native mode, /dev/input/eventN.
func (w *Wheel) Node() (string, error) {
	const patience, step = 10 * time.Second, 5 * time.Millisecond
	for waited := time.Duration(0); waited < patience; waited += step {
		if w.isNative() {
			return w.onBus().Node(patience - waited)
		}
		w.mu.Lock()
		err := w.failed
		w.mu.Unlock()
		if err != nil {
			return "", err
		}
		time.Sleep(step)
	}
	return "", errors.New("g29: still in compatibility mode; no driver has switched the wheel")
}

// CompatNode waits for the input node the wheel has in compatibility mode. A
// driver takes the mode and the node away soon after.
func (w *Wheel) CompatNode() (string, error) { return w.onBus().Node(10 * time.Second) }

// Unplug pulls the wheel out. It may be called twice; New plugs in another.
func (w *Wheel) Unplug() {
	w.once.Do(func() { close(w.out) })
	w.plugging.Lock()
	defer w.plugging.Unlock()
	w.onBus().Unplug()
}

// tell sends in to the host. In compatibility mode the wheel is silent.
func (w *Wheel) tell(in Input) {
	if w.isNative() {
		w.onBus().Send(w.facts.report(in))
	}
}

func (w *Wheel) onBus() *usbip.Port {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.port
}

func (w *Wheel) isNative() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.native
}

// gone tells whether Unplug was called.
func (w *Wheel) gone() bool {
	select {
	case <-w.out:
		return true
	default:
		return false
	}
}
