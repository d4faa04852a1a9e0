package keys

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"time"

	"rig.example/rig/internal/connect/session"
)

// newCertificate returns a certificate with its secret key, as PEM. Members know it by its very bytes, and by the
// session's name, so that it holds for all addresses under which the host can be reached. The names of this machine
// are in it for other programs.
func newCertificate(s session.ID) (text []byte, err error) {
	public, secret, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		return nil, err
	}
	began := time.Now().AddDate(0, 0, -2) // clocks of rigs may be late
	template := x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: "rig session " + string(s)},
		NotBefore:    began,
		NotAfter:     began.AddDate(30, 0, 0),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:     []string{string(s), "localhost"},
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, public, secret)
	if err != nil {
		return nil, err
	}
	key, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		return nil, err
	}
	text = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return append(text, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})...), nil
}

// Certificate returns the certificate of the host's own server, with its secret key.
func (f *Folder) Certificate() (tls.Certificate, error) {
	c, err := tls.LoadX509KeyPair(f.Path(certificateFile), f.Path(certificateFile))
	if err != nil {
		return c, fmt.Errorf("session %s: certificate %s: %w; restore it from a copy, or host a session of another name", f.session, f.Path(certificateFile), err)
	}
	return c, nil
}

// own returns the host's own server, at urls.
func (f *Folder) own(urls []string) (Servers, error) {
	c, err := f.Certificate()
	if err != nil {
		return Servers{}, err
	}
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Certificate[0]})
	return Servers{URLs: urls, CA: string(ca), Name: string(f.session)}, nil
}
