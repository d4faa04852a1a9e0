package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"time"
)

// makeCertificates writes an authority's certificate, and a server's by it for all their addresses.
func (c *Cluster) makeCertificates() {
	c.t.Helper()
	ca := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(1, 0, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "server"}, NotBefore: ca.NotBefore, NotAfter: ca.NotAfter,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	for _, a := range c.options.Addresses {
		host, _, err := net.SplitHostPort(a)
		if err != nil {
			c.t.Fatal(err)
		}
		leaf.IPAddresses = append(leaf.IPAddresses, net.ParseIP(host))
	}
	authority, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	server, err2 := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err := errors.Join(err, err2); err != nil {
		c.t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(server)
	if err != nil {
		c.t.Fatal(err)
	}
	c.write("server.key", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
	for name, from := range map[string]struct {
		template *x509.Certificate
		key      *ecdsa.PrivateKey
	}{"ca.pem": {ca, authority}, "server.pem": {leaf, server}} {
		der, err := x509.CreateCertificate(rand.Reader, from.template, ca, &from.key.PublicKey, authority)
		if err != nil {
			c.t.Fatal(err)
		}
		c.write(name, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	}
}
