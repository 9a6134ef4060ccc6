// A program that is not Whorl's: it adds scans to a print that there is already, of whichever finger
// is on the reader then. libfprint 1.94.3 allows it where a driver has FP_DEVICE_FEATURE_UPDATE_PRINT.
//
// The print comes from standard input, and goes to standard output with the new scans in it.

#include <fprint.h>
#include <stdio.h>

static FpPrint *
read_print (void)
{
  static guchar bytes[1 << 20];
  size_t count = fread (bytes, 1, sizeof bytes, stdin);
  g_autoptr (GError) error = NULL;
  FpPrint *print = fp_print_deserialize (bytes, count, &error);

  if (!print)
    g_printerr ("no print: %s\n", error->message);
  return print;
}

static int
write_print (FpPrint *print)
{
  g_autofree guchar *bytes = NULL;
  gsize count = 0;

  if (!fp_print_serialize (print, &bytes, &count, NULL))
    return 1;
  return fwrite (bytes, 1, count, stdout) == count && fflush (stdout) == 0 ? 0 : 1;
}

int
main (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FpPrint) old = read_print ();
  g_autoptr (FpContext) context = fp_context_new ();
  GPtrArray *devices = fp_context_get_devices (context);

  if (!old || devices->len != 1)
    return 2;
  FpDevice *device = g_ptr_array_index (devices, 0);
  if (!fp_device_has_feature (device, FP_DEVICE_FEATURE_UPDATE_PRINT))
    return 3;
  if (!fp_device_open_sync (device, NULL, &error))
    {
      g_printerr ("open: %s\n", error->message);
      return 4;
    }
  g_autoptr (FpPrint) extended = fp_device_enroll_sync (device, old, NULL, NULL, NULL, &error);
  if (!extended)
    {
      g_printerr ("enroll: %s\n", error->message);
      return 5;
    }
  fp_device_close_sync (device, NULL, NULL);
  return write_print (extended);
}
