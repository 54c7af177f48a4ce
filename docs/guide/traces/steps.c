/* steps - N threads on N CPUs with frequent synchronisation, as NAS UA has.
 *
 *   steps [-n THREADS] [-i STEPS] [-w MILLISECONDS] [-j PERCENT] [-p]
 *
 * Each thread goes through the same number of steps. In a step it computes until it has used
 * its share of CPU time (-w, give or take -j percent), then it waits at a barrier for the
 * others. CPU time, not an amount of arithmetic, so that a step takes as long on a CPU of an
 * emulator that shares its host's CPUs with many others as it would on a machine with that
 * many CPUs: what matters is only how the scheduler shares the guest's CPUs out.
 * -p pins thread i to CPU i. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int threads = 4, steps = 10, pinned;
static long work_us = 100000, jitter_percent = 5;
static pthread_barrier_t barrier;
static volatile double sink;

static long cpu_time_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

static void compute(long us)
{
	for (long end = cpu_time_us() + us; cpu_time_us() < end;) {
		double x = 1;
		for (int i = 0; i < 20000; i++)
			x = x * 1.0000001 + 0.1;
		sink = x;
	}
}

static void *thread(void *arg)
{
	long id = (long)arg;
	unsigned seed = id * 7919 + 1;

	if (pinned) {
		cpu_set_t set;
		CPU_ZERO(&set);
		CPU_SET(id % sysconf(_SC_NPROCESSORS_ONLN), &set);
		pthread_setaffinity_np(pthread_self(), sizeof set, &set);
	}
	for (int i = 0; i < steps; i++) {
		seed = seed * 1103515245u + 12345u;
		long spread = work_us * jitter_percent / 100;
		compute(work_us + (spread ? (long)((seed >> 8) % (2 * spread)) - spread : 0));
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct timespec start, end;
	int option;

	while ((option = getopt(argc, argv, "n:i:w:j:p")) != -1)
		switch (option) {
		case 'n': threads = atoi(optarg); break;
		case 'i': steps = atoi(optarg); break;
		case 'w': work_us = atol(optarg) * 1000; break;
		case 'j': jitter_percent = atol(optarg); break;
		case 'p': pinned = 1; break;
		default: return 2;
		}
	pthread_t *ids = calloc(threads, sizeof *ids);
	pthread_barrier_init(&barrier, NULL, threads);
	clock_gettime(CLOCK_MONOTONIC, &start);
	for (long i = 1; i < threads; i++)
		if (pthread_create(&ids[i], NULL, thread, (void *)i)) {
			perror("pthread_create");
			return 1;
		}
	thread(NULL);
	for (int i = 1; i < threads; i++)
		pthread_join(ids[i], NULL);
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("%.3f s\n", end.tv_sec - start.tv_sec + (end.tv_nsec - start.tv_nsec) / 1e9);
	return 0;
}
