import { defineConfig } from 'vitest/config';
import { BOTH, SLOW } from './vitest.config.ts';

export default defineConfig({ test: { ...BOTH, include: [SLOW] } });
