declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  import type { AdapterConstructor } from 'oidc-provider'

  /** What the provider uses where it is given nothing; named, it does not warn. */
  const MemoryAdapter: AdapterConstructor
  export default MemoryAdapter
}
