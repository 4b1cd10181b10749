/** Who runs the site, as its privacy notice, terms and contact links say. Null: not set. */
export interface Operator {
  name: string | null;
  postalAddress: string | null;
  email: string | null;
  /** For security.txt: a mailto: or https: URL. */
  securityContact: string | null;
  /** Why the law allows what we keep for alerts (UK GDPR, article 6). */
  lawfulBasis: string;
}
