/** Who runs the site, for its privacy notice, terms and contact links. Null: not set. */
export interface Operator {
  name: string | null;
  postalAddress: string | null;
  email: string | null;
  /** For security.txt. A mailto: or https: URL. */
  securityContact: string | null;
  /** The lawful basis for the alerts' data (UK GDPR, article 6). */
  lawfulBasis: string;
}
