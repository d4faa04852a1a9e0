package packets

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"

	"rig.example/rig/internal/connect/session"
)

const (
	headerSize = 14
	tagSize    = 16
	keySize    = 32 // of AES-256

	fromMember byte = 0x01 // first byte of a header: format 1, and the direction
	fromHost   byte = 0x81
)

// Sealer encrypts what goes one way with one key. It must not be used by two goroutines at once.
type Sealer struct {
	aead    cipher.AEAD
	header  [headerSize]byte
	counter uint64 // of the last packet
}

// NewSealer returns the sealer of the packets of the rig with a slot: those to it if host, else those that it sends. A key
// must not be used again with the same epoch.
func NewSealer(key []byte, epoch uint32, slot int, host bool) (*Sealer, error) {
	aead, header, err := prepare(key, epoch, slot, host)
	return &Sealer{aead: aead, header: header}, err
}

// Opener decrypts what a Sealer has encrypted, each packet once. It must not be used by two goroutines at once.
type Opener struct {
	aead    cipher.AEAD
	header  [headerSize]byte
	highest uint64 // counter
	seen    uint64 // bit i: the packet with counter highest-i has arrived
	opened  uint64
}

// NewOpener returns what opens the packets of NewSealer with the same arguments.
func NewOpener(key []byte, epoch uint32, slot int, host bool) (*Opener, error) {
	aead, header, err := prepare(key, epoch, slot, host)
	return &Opener{aead: aead, header: header}, err
}

func prepare(key []byte, epoch uint32, slot int, host bool) (aead cipher.AEAD, header [headerSize]byte, err error) {
	if len(key) != keySize || slot < 0 || slot >= session.MaxMembers {
		return nil, header, fmt.Errorf("packets: a key of %d bytes for slot %d: must be %d bytes and 0 to %d", len(key), slot, keySize, session.MaxMembers-1)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, header, fmt.Errorf("packets: %w", err)
	}
	if aead, err = cipher.NewGCM(block); err != nil {
		return nil, header, fmt.Errorf("packets: %w", err)
	}
	header[0], header[1] = fromMember, byte(slot)
	if host {
		header[0] = fromHost
	}
	binary.LittleEndian.PutUint32(header[2:], epoch)
	return aead, header, nil
}

// nonce returns the nonce of a header: direction, epoch and counter. The counter never reaches the bits of the direction.
func nonce(header []byte) (n [12]byte) {
	copy(n[:], header[2:headerSize])
	n[11] ^= header[0]
	return n
}

// Seal appends the datagram with a payload to dst.
func (s *Sealer) Seal(dst, payload []byte) []byte {
	s.counter++
	binary.LittleEndian.PutUint64(s.header[6:], s.counter)
	n := nonce(s.header[:])
	return s.aead.Seal(append(dst, s.header[:]...), n[:], payload, s.header[:])
}

var (
	errForeign  = errors.New("packet: not of this session's format, or of another rig or epoch")
	errForged   = errors.New("packet: not made with this rig's key")
	errRepeated = errors.New("packet: seen already, or too old to tell")
)

// Peek returns which key a datagram claims to be made with. Nothing of it is authentic yet.
func Peek(packet []byte) (slot int, epoch uint32, err error) {
	if len(packet) < headerSize+tagSize || len(packet) > MaxSize || packet[1] >= session.MaxMembers || packet[0] != fromMember && packet[0] != fromHost {
		return 0, 0, errForeign
	}
	return int(packet[1]), binary.LittleEndian.Uint32(packet[2:]), nil
}

// Open appends the payload of a datagram to dst. It returns an error if the datagram is not authentic, has been opened
// before, or is more than 63 datagrams older than the newest.
func (o *Opener) Open(dst, packet []byte) ([]byte, error) {
	if _, _, err := Peek(packet); err != nil {
		return nil, err
	}
	header := packet[:headerSize]
	if [6]byte(header) != [6]byte(o.header[:]) {
		return nil, errForeign
	}
	counter := binary.LittleEndian.Uint64(header[6:])
	if behind := o.highest - counter; counter <= o.highest && (behind >= 64 || o.seen>>behind&1 == 1) {
		return nil, errRepeated
	}
	n := nonce(header)
	payload, err := o.aead.Open(dst, n[:], packet[headerSize:], header)
	if err != nil {
		return nil, errForged
	}
	o.mark(counter)
	return payload, nil
}

// mark notes that the packet with a counter has arrived.
func (o *Opener) mark(counter uint64) {
	o.opened++
	if counter > o.highest {
		o.seen = o.seen<<min(counter-o.highest, 64) | 1
		o.highest = counter
		return
	}
	o.seen |= 1 << (o.highest - counter)
}

// Counts returns how many packets were opened so far, and how many were sent at least.
func (o *Opener) Counts() (opened, sent uint64) { return o.opened, o.highest }
