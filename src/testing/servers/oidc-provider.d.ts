// Types for the part of oidc-provider that the tests use; the package has none.
declare module 'oidc-provider' {
  type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> }
  type Context = {
    oidc: {
      client: { clientId: string }
      session: { accountId: string; grantIdFor(clientId: string): string | undefined }
      provider: {
        Grant: { new (of: { clientId: string; accountId: string }): Grant; find(id: string): Promise<Grant> }
      }
    }
  }
  export class Provider {
    constructor(issuer: string, configuration: object)
    callback(): import('node:http').RequestListener
  }
}
