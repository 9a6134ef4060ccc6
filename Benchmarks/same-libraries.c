// A program with the libraries of `whorl` and next to nothing of its own: what its start and its
// memory are compared to.
//
//     same-libraries           ends at once
//     same-libraries look      looks for readers, as `whorl status` does
//     same-libraries open      opens the first reader it finds, a database in memory and a cipher

#include <fprint.h>
#include <openssl/evp.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(int is_so, const char *what) {
    if (is_so) return;
    fprintf(stderr, "same-libraries: %s failed\n", what);
    exit(EXIT_FAILURE);
}

int main(int count, char **arguments) {
    if (count < 2) return EXIT_SUCCESS;
    FpContext *context = fp_context_new();
    GPtrArray *devices = fp_context_get_devices(context);
    if (strcmp(arguments[1], "open") == 0) {
        must(devices->len > 0, "finding a reader");
        FpDevice *device = g_ptr_array_index(devices, 0);
        must(fp_device_open_sync(device, NULL, NULL), "opening the reader");
        sqlite3 *database = NULL;
        must(sqlite3_open(":memory:", &database) == SQLITE_OK, "sqlite3_open");
        must(sqlite3_exec(database, "CREATE TABLE t (x)", NULL, NULL, NULL) == SQLITE_OK, "SQL");
        EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
        unsigned char key[32] = {0}, nonce[12] = {0};
        must(EVP_EncryptInit_ex(cipher, EVP_aes_256_gcm(), NULL, key, nonce), "the cipher");
        EVP_CIPHER_CTX_free(cipher);
        must(sqlite3_close(database) == SQLITE_OK, "sqlite3_close");
        must(fp_device_close_sync(device, NULL, NULL), "closing the reader");
    }
    g_object_unref(context);
    return EXIT_SUCCESS;
}
