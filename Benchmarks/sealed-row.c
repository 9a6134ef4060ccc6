// The least that a store of sealed secrets does, with OpenSSL and SQLite and nothing else: what the
// time of Whorl's store is compared to.
//
//     sealed-row open FILE     one row read, its key opened, its secret opened into a locked page
//     sealed-row sign FILE     one row read, its key opened into a locked page, a digest signed with it
//     sealed-row put FILE      a secret sealed, its key sealed, and the row of both synced to the disk
//     sealed-row charge FILE   one row read and changed, and the change synced to the disk, right
//                              after another: what waited to be written to that disk is gone then
//
// The database, a new file, is opened once, as Whorl's is, with the settings that decide how fast it is. Speaks
// with the benchmark as WhorlBench/Contestant.swift says.

#include <inttypes.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { KEY = 32, DIGEST = 32, POINT = 65, SIGNATURE = 80, NONCE = 12, TAG = 16, SECRET = 64, PAGE = 4096 };

static _Noreturn void give_up(const char *what) {
    fprintf(stderr, "sealed-row: %s failed\n", what);
    exit(EXIT_FAILURE);
}

static void must(int is_so, const char *what) {
    if (!is_so) give_up(what);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static unsigned char *locked_page(void) {
    void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    must(page != MAP_FAILED, "mmap");
    must(mlock(page, PAGE) == 0, "mlock");
    must(madvise(page, PAGE, MADV_DONTDUMP) == 0, "madvise");
    must(madvise(page, PAGE, MADV_WIPEONFORK) == 0, "madvise");
    return page;
}

static void release(unsigned char *page) {
    explicit_bzero(page, PAGE);
    must(munmap(page, PAGE) == 0, "munmap");
}

// A box is the nonce, what was sealed, and the tag.
static int seal(const unsigned char *key, const unsigned char *plain, int count,
                unsigned char *box) {
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int written = 0;
    must(RAND_bytes(box, NONCE), "RAND_bytes");
    must(EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), NULL, key, box), "sealing");
    must(EVP_EncryptUpdate(context, box + NONCE, &written, plain, count), "sealing");
    must(EVP_EncryptFinal_ex(context, box + NONCE + written, &written), "sealing");
    must(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, TAG, box + NONCE + count), "sealing");
    EVP_CIPHER_CTX_free(context);
    return NONCE + count + TAG;
}

static unsigned char *unseal(const unsigned char *key, const unsigned char *box, int count) {
    must(count > NONCE + TAG && count <= PAGE, "the box's length");
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    unsigned char *plain = locked_page();
    int sealed = count - NONCE - TAG;
    int written = 0;
    must(EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), NULL, key, box), "opening");
    must(EVP_DecryptUpdate(context, plain, &written, box + NONCE, sealed), "opening");
    must(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, TAG, (void *)(box + NONCE + sealed)),
         "opening");
    must(EVP_DecryptFinal_ex(context, plain + written, &written), "opening");
    EVP_CIPHER_CTX_free(context);
    return plain;
}

static void execute(sqlite3 *database, const char *sql) {
    must(sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK, sql);
}

static sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement = NULL;
    must(sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK, sql);
    return statement;
}

static void open_secret(sqlite3 *database, const unsigned char *storage_key, int64_t *answered) {
    sqlite3_stmt *row = prepare(database, "SELECT wrapped, payload FROM key WHERE name = ?");
    sqlite3_bind_text(row, 1, "bench", -1, SQLITE_STATIC);
    must(sqlite3_step(row) == SQLITE_ROW, "the row");
    unsigned char *key =
        unseal(storage_key, sqlite3_column_blob(row, 0), sqlite3_column_bytes(row, 0));
    unsigned char *secret = unseal(key, sqlite3_column_blob(row, 1), sqlite3_column_bytes(row, 1));
    *answered = now();
    release(key);
    release(secret);
    must(sqlite3_finalize(row) == SQLITE_OK, "the row");
}

static void sign_digest(sqlite3 *database, const unsigned char *storage_key, int64_t *answered) {
    sqlite3_stmt *row = prepare(database, "SELECT wrapped, payload FROM key WHERE name = ?");
    sqlite3_bind_text(row, 1, "signer", -1, SQLITE_STATIC);
    must(sqlite3_step(row) == SQLITE_ROW, "the row");
    unsigned char *scalar =
        unseal(storage_key, sqlite3_column_blob(row, 0), sqlite3_column_bytes(row, 0));
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)"prime256v1", 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY,
                                          (void *)sqlite3_column_blob(row, 1), POINT),
        OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, scalar, KEY),
        OSSL_PARAM_construct_end(),
    };
    EVP_PKEY_CTX *making = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    EVP_PKEY *key = NULL;
    must(EVP_PKEY_fromdata_init(making) == 1, "the key");
    must(EVP_PKEY_fromdata(making, &key, EVP_PKEY_KEYPAIR, parameters) == 1, "the key");
    EVP_PKEY_CTX *signing = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    unsigned char digest[DIGEST] = {7}, signature[SIGNATURE];
    size_t written = sizeof signature;
    must(EVP_PKEY_sign_init(signing) == 1, "signing");
    must(EVP_PKEY_sign(signing, signature, &written, digest, DIGEST) == 1, "signing");
    *answered = now();
    EVP_PKEY_CTX_free(signing);
    EVP_PKEY_CTX_free(making);
    EVP_PKEY_free(key);
    release(scalar);
    must(sqlite3_finalize(row) == SQLITE_OK, "the row");
}

static void charge(sqlite3 *database) {
    execute(database, "BEGIN IMMEDIATE");
    sqlite3_stmt *read = prepare(database, "SELECT failures FROM attempt WHERE subject = ?");
    sqlite3_bind_text(read, 1, "bench", -1, SQLITE_STATIC);
    must(sqlite3_step(read) == SQLITE_ROW, "the row");
    sqlite3_int64 failures = sqlite3_column_int64(read, 0);
    must(sqlite3_finalize(read) == SQLITE_OK, "the row");
    sqlite3_stmt *write = prepare(database, "UPDATE attempt SET failures = ? WHERE subject = ?");
    sqlite3_bind_int64(write, 1, failures + 1);
    sqlite3_bind_text(write, 2, "bench", -1, SQLITE_STATIC);
    must(sqlite3_step(write) == SQLITE_DONE, "the change");
    must(sqlite3_finalize(write) == SQLITE_OK, "the change");
    execute(database, "COMMIT");
}

static void insert_key(sqlite3 *database, const unsigned char *storage_key, const char *name) {
    unsigned char key[KEY], secret[SECRET], wrapped[NONCE + KEY + TAG],
        payload[NONCE + SECRET + TAG];
    must(RAND_bytes(key, KEY) && RAND_bytes(secret, SECRET), "RAND_bytes");
    int wrapped_count = seal(storage_key, key, KEY, wrapped);
    int payload_count = seal(key, secret, SECRET, payload);
    sqlite3_stmt *insert = prepare(database, "INSERT INTO key VALUES (?, ?, ?)");
    sqlite3_bind_text(insert, 1, name, -1, SQLITE_STATIC);
    sqlite3_bind_blob(insert, 2, wrapped, wrapped_count, SQLITE_STATIC);
    sqlite3_bind_blob(insert, 3, payload, payload_count, SQLITE_STATIC);
    must(sqlite3_step(insert) == SQLITE_DONE, "the row");
    must(sqlite3_finalize(insert) == SQLITE_OK, "the row");
}

static void fill_signer(sqlite3 *database, const unsigned char *storage_key) {
    unsigned char scalar[KEY], point[POINT], wrapped[NONCE + KEY + TAG];
    EVP_PKEY *key = EVP_EC_gen("prime256v1");
    BIGNUM *number = NULL;
    size_t written = 0;
    must(EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1, "the key");
    must(BN_bn2nativepad(number, scalar, KEY) == KEY, "the key");
    must(EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, point, POINT, &written) == 1
             && written == POINT,
         "the key");
    sqlite3_stmt *insert = prepare(database, "INSERT INTO key VALUES ('signer', ?, ?)");
    sqlite3_bind_blob(insert, 1, wrapped, seal(storage_key, scalar, KEY, wrapped), SQLITE_STATIC);
    sqlite3_bind_blob(insert, 2, point, POINT, SQLITE_STATIC);
    must(sqlite3_step(insert) == SQLITE_DONE, "the row");
    must(sqlite3_finalize(insert) == SQLITE_OK, "the row");
    BN_clear_free(number);
    EVP_PKEY_free(key);
}

static void fill(sqlite3 *database, const unsigned char *storage_key) {
    execute(database, "CREATE TABLE key (name TEXT PRIMARY KEY, wrapped BLOB, payload BLOB)");
    execute(database, "CREATE TABLE attempt (subject TEXT PRIMARY KEY, failures INTEGER)");
    execute(database, "INSERT INTO attempt VALUES ('bench', 0)");
    insert_key(database, storage_key, "bench");
}

int main(int count, char **arguments) {
    must(count == 3, "usage: sealed-row open|sign|put|charge FILE;");
    int charges = strcmp(arguments[1], "charge") == 0;
    int signs = strcmp(arguments[1], "sign") == 0;
    int puts_keys = strcmp(arguments[1], "put") == 0;
    must(charges || signs || puts_keys || strcmp(arguments[1], "open") == 0,
         "usage: sealed-row open|sign|put|charge FILE;");

    sqlite3 *database = NULL;
    must(sqlite3_open(arguments[2], &database) == SQLITE_OK, "sqlite3_open");
    execute(database, "PRAGMA journal_mode=WAL");
    execute(database, "PRAGMA synchronous=FULL");
    execute(database, "PRAGMA secure_delete=ON");
    unsigned char storage_key[KEY];
    must(RAND_bytes(storage_key, KEY), "RAND_bytes");
    fill(database, storage_key);
    fill_signer(database, storage_key);
    puts("ready");
    fflush(stdout);

    char line[16];
    while (fgets(line, sizeof line, stdin) && strcmp(line, "go\n") == 0) {
        if (charges) charge(database);
        int64_t start = now();
        int64_t answered = 0;
        if (charges) {
            charge(database);
            answered = now();
        } else if (signs) {
            sign_digest(database, storage_key, &answered);
        } else if (puts_keys) {
            insert_key(database, storage_key, "lap");
            answered = now();
            execute(database, "DELETE FROM key WHERE name = 'lap'");
        } else {
            open_secret(database, storage_key, &answered);
        }
        printf("lap %" PRId64 " 0 0 %" PRId64 "\n", start, answered);
        fflush(stdout);
    }
    must(sqlite3_close(database) == SQLITE_OK, "sqlite3_close");
    return EXIT_SUCCESS;
}
