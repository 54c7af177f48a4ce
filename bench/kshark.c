/* What KernelShark does to open a file: libkshark's open, and its loader of all entries. Prints how many there are. */
#include <libkshark.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	struct kshark_context *context = NULL;
	struct kshark_entry **entries = NULL;
	ssize_t count;
	int stream;

	if (argc != 2 || !kshark_instance(&context))
		return 2;
	stream = kshark_open(context, argv[1]);
	if (stream < 0)
		return 1;
	count = kshark_load_entries(context, stream, &entries);
	printf("%zd\n", count);
	return count < 0;
}
