// The EVP layer of OpenSSL 3 and the curve arithmetic that EVP leaves out. Nothing deprecated.
#define OPENSSL_NO_DEPRECATED
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>

// Macros made of other macros do not import.
static const int cwhorl_evp_pkey_public_key = EVP_PKEY_PUBLIC_KEY;
static const int cwhorl_evp_pkey_keypair = EVP_PKEY_KEYPAIR;
