//! A method-specific, opaque value: a state, or a part of a model.

use std::any::Any;
use std::fmt::{self, Debug};

/// An opaque value that a method stores for a site. Other code can copy and compare it.
pub struct Own(Box<dyn Value>);

/// The operations of a value.
trait Value: Any + Debug + Send + Sync {
    fn copy(&self) -> Box<dyn Value>;
    fn is_equal(&self, other: &dyn Any) -> bool;
    fn any(&self) -> &dyn Any;
    fn any_mut(&mut self) -> &mut dyn Any;
}

impl<T: Any + Debug + Clone + PartialEq + Send + Sync> Value for T {
    fn copy(&self) -> Box<dyn Value> {
        Box::new(self.clone())
    }

    fn is_equal(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }

    fn any(&self) -> &dyn Any {
        self
    }

    fn any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

impl Own {
    /// Wraps a value.
    pub fn new<T: Any + Debug + Clone + PartialEq + Send + Sync>(value: T) -> Own {
        Own(Box::new(value))
    }

    /// The value, if it has this type.
    pub fn get<T: Any>(&self) -> Option<&T> {
        (*self.0).any().downcast_ref()
    }

    /// The mutable value, if it has this type.
    pub fn get_mut<T: Any>(&mut self) -> Option<&mut T> {
        (*self.0).any_mut().downcast_mut()
    }
}

impl Clone for Own {
    fn clone(&self) -> Own {
        Own((*self.0).copy())
    }
}

impl PartialEq for Own {
    fn eq(&self, other: &Own) -> bool {
        (*self.0).is_equal((*other.0).any())
    }
}

impl Debug for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (*self.0).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_copied_and_compared_by_type() {
        let mut number = Own::new(7u32);
        let copy = number.clone();
        assert_eq!(number, copy);
        *number.get_mut::<u32>().unwrap() += 1;
        assert_ne!(number, copy);
        assert_eq!((copy.get::<u32>(), copy.get::<u64>()), (Some(&7), None));
        assert_ne!(copy, Own::new(7u64));
        assert_eq!(format!("{copy:?}"), "7");
    }
}
