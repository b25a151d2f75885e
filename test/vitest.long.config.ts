import { defineConfig } from 'vitest/config';
import { BOTH, LONG } from './vitest.config.ts';

// They wait a good part of their time, for a browser, for a disk, for a process that ends: two workers leave a third of
// two cores without work.
export default defineConfig({ test: { ...BOTH, maxWorkers: 3, include: [LONG] } });
