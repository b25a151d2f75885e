import { defineConfig } from 'vitest/config';
import { BOTH, LONG } from './vitest.config.ts';

export default defineConfig({ test: { ...BOTH, include: [LONG] } });
