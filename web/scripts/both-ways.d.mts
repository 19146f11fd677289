import type { Plugin } from 'vite'

export function bothWays(options?: { include?: RegExp; root?: string }): Plugin
