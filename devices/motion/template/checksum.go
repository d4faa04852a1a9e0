package template

import "strings"

// checksum is a checksum that strings can contain, by the name of its token.
type checksum struct {
	name string
	size int // bytes, the low byte first
	of   func(b []byte) uint16
}

var checksums = [...]checksum{
	{"Sum7", 1, func(b []byte) uint16 { return sum(b) & 0x7f }},
	{"Sum8", 1, sum},
	{"Xor8", 1, xor},
	{"Crc8", 1, crc8},
	{"Crc16", 2, crc16},
}

// checksumNamed returns the checksum with a name, whatever its capitals, or nil.
func checksumNamed(name string) *checksum {
	for i := range checksums {
		if strings.EqualFold(checksums[i].name, name) {
			return &checksums[i]
		}
	}
	return nil
}

// checksumNames returns the tokens of all checksums, for messages.
func checksumNames() string {
	var names []string
	for _, c := range checksums {
		names = append(names, "<"+c.name+">")
	}
	return strings.Join(names, ", ")
}

// bytes returns the bytes of the checksum of b, of which the first size count.
func (c *checksum) bytes(b []byte) [2]byte {
	v := c.of(b)
	return [2]byte{byte(v), byte(v >> 8)}
}

func sum(b []byte) (v uint16) {
	for _, c := range b {
		v += uint16(c)
	}
	return v
}

func xor(b []byte) (v uint16) {
	for _, c := range b {
		v ^= uint16(c)
	}
	return v
}

// crc8 returns the CRC-8 of SMBus: polynomial 07, high bit first, from 0.
func crc8(b []byte) uint16 {
	v := byte(0)
	for _, c := range b {
		v ^= c
		for range 8 {
			carry := v >> 7
			v = v<<1 ^ carry*0x07
		}
	}
	return uint16(v)
}

// crc16 returns the CRC-16 of Modbus: polynomial 8005, low bit first, from FFFF.
func crc16(b []byte) uint16 {
	v := uint16(0xffff)
	for _, c := range b {
		v ^= uint16(c)
		for range 8 {
			carry := v & 1
			v = v>>1 ^ carry*0xa001
		}
	}
	return v
}
